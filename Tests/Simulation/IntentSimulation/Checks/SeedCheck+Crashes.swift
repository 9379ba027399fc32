internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

extension SeedCheck {
    /// A turn that makes its process crash again and again ends in time, and other turns are not affected (R56).
    func crashes() -> [String] {
        let traps = self.world.traps
        var violations: [String] = []
        var condemned: Set<String> = []
        for (partition, records) in (self.history.records[.deadLetters] ?? [:]).sorted(by: { $0.key < $1.key }) {
            for record in records {
                let headers = DeadLetterHeaders(record.content)
                guard headers.error == EventDecodingError.Code.crashed.rawValue else { continue }
                // An event whose interaction had ended before ends nothing, and names it only as what it is about (R56d).
                let interaction = headers.interactionID?.text ?? self.subject(of: record)
                guard let interaction, traps.stages[interaction] != nil else {
                    violations.append(
                        "crashes: dead letter \(partition)/\(record.offset) of \(interaction ?? "nobody") has no trap"
                    )
                    continue
                }
                if headers.interactionID != nil {
                    condemned.insert(interaction)
                } else if !self.hadEnded(interaction, at: headers) {
                    violations.append("crashes: dead letter \(partition)/\(record.offset) leaves \(interaction) open")
                }
            }
        }
        for end in self.terminalResponses {
            guard let subject = end.subject?.text, let stage = traps.stages[subject] else { continue }
            let reason = end.data["endReason"]?.string ?? ""
            if condemned.contains(subject), reason != "error" {
                violations.append("crashes: \(subject) was condemned and has ended with \(reason)")
            }
            if reason == "nominal", end.data["phase"]?.string == Stage.allCases[stage].rawValue {
                violations.append("crashes: \(subject) has ended well in spite of its trap")
            }
        }
        for (_, entries) in self.history.turns.sorted(by: { $0.key < $1.key }) {
            for turn in entries.map(\.turn) {
                guard let crash = turn.crash else { continue }
                if crash.deaths <= traps.maxCrashes {
                    violations.append("crashes: \(turn.position) was condemned after \(crash.deaths) deaths")
                }
                violations += self.toldEffects(of: turn)
            }
        }
        // Each data directory counts for itself: up to the bound, as often again beside others that will not end, and
        // for as many doublings of the time alone as the slowest handlers take.
        let bound = self.world.members.count * (1 + 2 * traps.maxCrashes + 4)
        for (interaction, count) in traps.sprung.sorted(by: { $0.key < $1.key }) where count > bound {
            violations.append("crashes: \(interaction) has ended \(count) processes, more than \(bound)")
        }
        return violations + self.countsLeft()
    }

    /// The interaction that a dead letter's event is about.
    private func subject(of letter: LogRecord) -> String? {
        guard let event = try? StoredRecord(letter, topic: .deadLetters).decoded() else { return nil }
        return event.subject?.text ?? event["promptId"]?.string.flatMap { PromptID($0) }?.interaction.text
    }

    /// Whether an interaction ended before the verdict on a dead letter's event, or in the same commit.
    private func hadEnded(_ interaction: String, at letter: DeadLetterHeaders) -> Bool {
        let entries = self.history.turns.values.joined()
        let verdict = entries.first { entry in
            let position = entry.turn.position
            return entry.turn.crash != nil && position.offset == letter.offset
                && Int64(position.partition) == letter.partition
                && position.topic.name(prefix: "intents").text == letter.topic
        }
        guard let commit = verdict.flatMap({ self.history.commits[$0.id] }) else { return false }
        return entries.contains { entry in
            entry.turn.interactionID?.text == interaction && entry.turn.outcome == .ended
                && self.history.commits[entry.id].map { $0 <= commit } ?? false
        }
    }

    /// Completed turns have no crash count, where the directory's process is given every partition of the stage.
    private func countsLeft() -> [String] {
        var violations: [String] = []
        for stage in Stage.allCases {
            let workers = self.world.members.filter { $0.roles.contains(.stage(stage)) }
            guard workers.count == 1, let worker = workers.first else { continue }
            for turn in worker.marks.suspects.suspicions.keys.map(\.description).sorted()
            where turn.hasPrefix("\(stage.rawValue)/") {
                violations.append("crashes: something counts against \(turn) although it is done")
            }
        }
        return violations
    }

    /// A turn that ended as a crash suspect has reported the effects that were made before.
    private func toldEffects(of turn: TurnRecord) -> [String] {
        guard turn.outcome == .ended, let interaction = turn.interactionID?.text,
            let names = turn.reads.lazy.compactMap(\.heldEffects).last
        else { return [] }
        let named = turn.outputs.compactMap { self.history.responsesByDigest[$0.digest]?.data["effects"]?.array }
            .map { $0.compactMap(\.string) }
        let made = self.world.store.rows.count { $0.interaction == interaction }
        guard named == [names], names.count == made else {
            return ["crashes: \(interaction) has made \(made) effects and named \(named)"]
        }
        return []
    }
}
