package import IntentEvents
package import IntentKit
internal import IntentRuntime

/// The result of a run of scenarios, for people and for machines.
package struct ScenarioReport: Sendable {
    /// The results in the order of the scenarios.
    package var results: [ScenarioResult]
    /// Where each scenario was read, such as `tables.jsonl:3`; empty for those that were not read.
    package var locations: [String]
    package var duration: Duration
    /// The number of turns that were replayed afterwards; nil when none were to be.
    package private(set) var replayedTurns: Int?
    /// The number of those that did not match.
    package private(set) var unmatchedTurns = 0
    /// What is known of those that belong to no scenario, in words.
    private var strayTurns: [String] = []

    package init(_ results: [ScenarioResult], locations: [String] = [], duration: Duration) {
        self.results = results
        self.locations = locations
        self.duration = duration
    }

    /// The numbers of scenarios that matched, mismatched, and could not be played.
    package var counts: (matched: Int, mismatched: Int, errors: Int) {
        var counts = (matched: 0, mismatched: 0, errors: 0)
        for result in self.results {
            switch result.outcome {
            case .matched: counts.matched += 1
            case .mismatched: counts.mismatched += 1
            case .executionError: counts.errors += 1
            }
        }
        return counts
    }

    /// Whether every scenario matched, and every turn that was replayed.
    package var isMatched: Bool { self.counts.matched == self.results.count && self.unmatchedTurns == 0 }

    /// Adds what replaying the turns of the scenarios has shown: a scenario one of whose turns did not match is a
    /// mismatch.
    ///
    /// - Parameters:
    ///   - count: The number of turns that were replayed.
    ///   - unmatched: The number of those that did not match.
    ///   - differences: Such turns in words, with their interactions; they may be fewer than `unmatched`.
    package mutating func addReplay(
        of count: Int,
        unmatched: Int,
        _ differences: [(interactionID: InteractionID?, text: String)]
    ) {
        self.replayedTurns = count
        self.unmatchedTurns = unmatched
        var indices: [InteractionID: Int] = [:]
        for (index, result) in self.results.enumerated() { indices[result.interactionID] = index }
        for (interactionID, text) in differences {
            guard let index = interactionID.flatMap({ indices[$0] }) else {
                self.strayTurns.append(text)
                continue
            }
            switch self.results[index].outcome {
            case .matched: self.results[index].outcome = .mismatched([text])
            case .mismatched(let others): self.results[index].outcome = .mismatched(others + [text])
            // It could not be played, and says why.
            case .executionError: break
            }
        }
    }

    /// The report for people: each scenario that did not match, with its differences, and each with warnings that it does
    /// not expect, what was replayed, then the counts.
    ///
    /// The last line is `Matched N, Mismatched N, ExecutionError N` and nothing else.
    package var summary: String {
        var lines: [String] = []
        for (index, result) in self.results.enumerated() {
            let name = self.location(index).map { "\($0): \(result.scenario.name)" } ?? result.scenario.name
            switch result.outcome {
            case .matched: break
            case .mismatched(let differences):
                lines.append("Mismatched \(name) (interaction \(result.interactionID))")
                lines += differences.map { "  " + $0 }
            case .executionError(let message):
                lines.append("ExecutionError \(name) (interaction \(result.interactionID))")
                lines.append("  " + message)
            }
            if !result.notes.isEmpty {
                lines.append("Warnings \(name) (interaction \(result.interactionID))")
                lines += result.notes.map { "  " + $0 }
            }
        }
        lines += self.strayTurns
        if let replayedTurns {
            let verdict = self.unmatchedTurns == 0 ? "all matched" : "\(self.unmatchedTurns) did not match"
            lines.append("Replayed \(replayedTurns) turns: \(verdict)")
        }
        let counts = self.counts
        lines.append("Matched \(counts.matched), Mismatched \(counts.mismatched), ExecutionError \(counts.errors)")
        return lines.joined(separator: "\n")
    }

    /// The report as JSON: counts, seconds, what was replayed, and each scenario with its outcome.
    package var json: JSONValue {
        let counts = self.counts
        return .members([
            "matched": .integer(Int64(counts.matched)),
            "mismatched": .integer(Int64(counts.mismatched)),
            "executionErrors": .integer(Int64(counts.errors)),
            "seconds": .number(Self.seconds(self.duration)),
            "replayedTurns": self.replayedTurns.map { .integer(Int64($0)) },
            "unmatchedTurns": self.replayedTurns.map { _ in .integer(Int64(self.unmatchedTurns)) },
            "scenarios": .array(self.results.indices.map(self.json(of:))),
        ])
    }

    private func json(of index: Int) -> JSONValue {
        let result = self.results[index]
        var members: JSONObject = [
            "name": .string(result.scenario.name),
            "interaction": result.interactionID.json,
            "intent": .string(result.scenario.intent.name),
            "user": result.scenario.userID.json,
            "seconds": .number(Self.seconds(result.duration)),
            "prompts": .array(result.promptNames.map(JSONValue.string)),
        ]
        if !result.notes.isEmpty { members["warnings"] = .array(result.notes.map(JSONValue.string)) }
        members["place"] = self.location(index).map(JSONValue.string)
        switch result.outcome {
        case .matched: members["outcome"] = "Matched"
        case .mismatched(let differences):
            members["outcome"] = "Mismatched"
            members["differences"] = .array(differences.map(JSONValue.string))
        case .executionError(let message):
            members["outcome"] = "ExecutionError"
            members["message"] = .string(message)
        }
        return .object(members)
    }

    /// Where a scenario was read, if known.
    func location(_ index: Int) -> String? {
        self.locations.indices.contains(index) && !self.locations[index].isEmpty ? self.locations[index] : nil
    }

    /// Seconds, in whole milliseconds.
    static func seconds(_ duration: Duration) -> Double { Double(duration.milliseconds) / 1_000 }

    /// Seconds as people write them: `60`, `0.3`.
    static func text(_ duration: Duration) -> String {
        let seconds = Self.seconds(duration)
        return seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }
}

package enum ScenarioOutcome: Hashable, Sendable {
    case matched
    /// The result was different: the expected and the actual one, in words.
    case mismatched([String])
    /// It could not be played to its end, with the reason.
    case executionError(String)
}
