internal import IntentEvents
package import IntentKit
internal import IntentRuntime

/// The result of a run of scenarios, for people and for machines.
package struct ScenarioReport: Sendable {
    /// The results in the order of the scenarios.
    package var results: [ScenarioResult]
    /// Where each scenario was read, such as `tables.jsonl:3`; empty for those that were not read.
    package var locations: [String]
    package var duration: Duration

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

    /// Whether every scenario matched.
    package var isMatched: Bool { self.counts.matched == self.results.count }

    /// The report for people: each scenario that did not match, with its differences, then the counts.
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
        }
        let counts = self.counts
        lines.append("Matched \(counts.matched), Mismatched \(counts.mismatched), ExecutionError \(counts.errors)")
        return lines.joined(separator: "\n")
    }

    /// The report as JSON: counts, seconds, and each scenario with its outcome.
    package var json: JSONValue {
        let counts = self.counts
        return [
            "matched": .integer(Int64(counts.matched)),
            "mismatched": .integer(Int64(counts.mismatched)),
            "executionErrors": .integer(Int64(counts.errors)),
            "seconds": .number(Self.seconds(self.duration)),
            "scenarios": .array(self.results.indices.map(self.json(of:))),
        ]
    }

    private func json(of index: Int) -> JSONValue {
        let result = self.results[index]
        var members: JSONObject = [
            "name": .string(result.scenario.name),
            "interaction": result.interactionID.json,
            "intent": .string(result.scenario.intent.name),
            "user": result.scenario.userID.json,
            "seconds": .number(Self.seconds(result.duration)),
            "prompts": .array(result.transcript.promptNames.map(JSONValue.string)),
        ]
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
