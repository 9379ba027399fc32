internal import IntentEvents
internal import IntentKit
internal import IntentRecords
internal import IntentRuntime

extension SeedCheck {
    /// The owner of turns.
    private struct Who: Hashable {
        var stage: Stage
        var user: UserID
    }

    /// The events of a user on one partition, which a stage processes in order.
    private struct EventOrder: Hashable {
        var who: Who
        var topic: Topic
        var partition: Int
    }

    /// Each event was processed once by each stage that received it, a user's events in their order (R4).
    func turns() -> [String] {
        var violations: [String] = []
        var finished: [History.Input: Int] = [:]
        var parked: Set<History.Input> = []
        var last: [EventOrder: RecordPosition] = [:]
        for (_, entries) in self.history.turns.sorted(by: { $0.key < $1.key }) {
            for entry in entries {
                let turn = entry.turn
                // What a running turn says is no end of it (R74b).
                if turn.note != nil { continue }
                let input = History.Input(stage: turn.stage, position: turn.position)
                guard turn.outcome != .parked else {
                    parked.insert(input)
                    continue
                }
                finished[input, default: 0] += 1
                let isOvertaking = [EventType.timerFired, .interactionCancelled]
                    .contains { $0.rawValue == turn.eventType }
                guard !isOvertaking, turn.outcome != .refused else { continue }
                // A record that is not an event waits for no turn (R4); of acts, a pause and its end wait for each other.
                guard let event = self.event(at: turn.position),
                    event.knownType != .operatorActed || event.subject == nil
                else { continue }
                let order = EventOrder(
                    who: Who(stage: turn.stage, user: turn.userID),
                    topic: turn.position.topic,
                    partition: turn.position.partition
                )
                if let before = last[order], before.offset >= turn.position.offset {
                    violations.append("order: \(turn.stage) processed \(turn.position) after \(before)")
                }
                last[order] = turn.position
            }
        }
        for (input, count) in finished where count > 1 {
            violations.append("turns: \(input.stage) processed \(input.position) \(count) times")
        }
        let known = self.history.inputs
        for input in known where finished[input] == nil && !parked.contains(input) {
            violations.append("turns: \(input.stage) did not process \(input.position)")
        }
        for input in Set(finished.keys).union(parked) where !known.contains(input) {
            violations.append("turns: \(input.stage) processed \(input.position), which was not put before it")
        }
        return violations
    }

    /// The turns of a stage in a partition form one chain (R41): no other worker has written in between.
    func chains() -> [String] {
        var violations: [String] = []
        for (partition, entries) in self.history.turns.sorted(by: { $0.key < $1.key }) {
            var heads: [Stage: String] = [:]
            for entry in entries {
                if entry.turn.previousDigest != heads[entry.turn.stage] ?? "" {
                    violations.append(
                        "chains: in partition \(partition) the turn of \(entry.turn.stage) for \(entry.turn.position) "
                            + "does not follow the one before it"
                    )
                }
                heads[entry.turn.stage] = entry.digest
            }
        }
        return violations
    }

    /// Answers and timers only acted on the prompt that was open (R13, R23).
    func prompts() -> [String] {
        var violations: [String] = []
        for (_, entries) in self.history.turns.sorted(by: { $0.key < $1.key }) {
            var open: [String: PromptID] = [:]
            var parked: [Who: RecordPosition] = [:]
            var parkedInteraction: [Who: InteractionID] = [:]
            for entry in entries {
                let turn = entry.turn
                if turn.note != nil { continue }
                let event = self.event(at: turn.position)
                let key = "\(turn.stage)/\(turn.request ?? "-")"
                let who = Who(stage: turn.stage, user: turn.userID)
                let outcome = turn.outcome
                // What a client wrote in a stage's name is ignored (R14): `owners` checks that it has no effect.
                let isOfStage = turn.position.topic == .signals
                let isTimer = event?.knownType == .timerFired && isOfStage
                let isRetry = isTimer && event?.data["what"] == "retry" && !turn.isParkingNote
                if outcome == .parked, !isRetry {
                    // One that overtakes a parked turn waits for its next attempt without taking its place.
                    let isPostponed =
                        parked[who] != nil
                        && (event?.data["position"] != nil || event?.knownType == .interactionCancelled
                            || self.isAct(event, onTurnParkedBefore: turn))
                    if !isPostponed {
                        parked[who] = turn.position
                        parkedInteraction[who] = turn.interactionID
                    }
                    continue
                }
                switch event?.knownType {
                case .promptAnswered where ![.rejected, .forwarded, .refused].contains(outcome):
                    let promptID = event?.data["promptId"]?.string.flatMap { PromptID($0) }
                    if promptID == nil || open[key] != promptID {
                        violations.append(
                            "prompts: the answer \(turn.position) to \(promptID.map(\.description) ?? "nothing") acted; "
                                + "\(open[key].map(\.description) ?? "no prompt") was open"
                        )
                    }
                case .timerFired where isTimer && event?.data["what"] == "prompt" && outcome != .ignored:
                    if open[key] != event?.data["promptId"]?.string.flatMap({ PromptID($0) }) {
                        violations.append("prompts: the timer \(turn.position) acted on a prompt that was not open")
                    }
                case .timerFired where isTimer && outcome != .ignored && event?.data["position"] != nil:
                    if parked[who]?.description != event?.data["position"]?.string {
                        violations.append("prompts: the timer \(turn.position) acted on a turn that was not parked")
                    }
                    // A time-out ends the parked turn with its interaction.
                    if outcome == .ended { parked[who] = nil }
                case .interactionReturned where isOfStage && event?.data["interaction"]?["asked"] != nil:
                    // A question is put, unless its interaction has ended meanwhile (R72c).
                    if ![.prompted, .ended].contains(outcome), turn.held == nil {
                        violations.append("prompts: the question of \(turn.position) was not put: \(outcome)")
                    }
                case .interactionCancelled where outcome == .ended && parkedInteraction[who] == turn.interactionID:
                    parked[who] = nil
                case .operatorActed where self.isAct(event, onTurnParkedBefore: turn) && outcome != .rejected:
                    parked[who] = nil
                default: break
                }
                if parked[who] == turn.position { parked[who] = nil }
                let issued = turn.outputs.compactMap { self.history.responsesByDigest[$0.digest] }
                for response in issued {
                    switch response.knownType {
                    case .promptIssued: open[key] = response.data["promptId"]?.string.flatMap { PromptID($0) }
                    case .intentResponded where response.data["terminal"] == true: open[key] = nil
                    default: break
                    }
                }
                if [.passed, .returned].contains(outcome) { open[key] = nil }
            }
        }
        return violations
    }

    /// Whether an operator's act is about the turn that is parked, and not a turn that is parked itself.
    private func isAct(_ event: Event?, onTurnParkedBefore turn: TurnRecord) -> Bool {
        guard event?.knownType == .operatorActed, let parked = self.parkedTurn(before: turn) else { return false }
        return parked.event.position != turn.position && parked.interactionID == event?.subject
    }

    /// The records are the content of the topics, each once (R39).
    func recorded() -> [String] {
        do {
            let rows = try self.world.tables.events()
            let expected = Topic.allCases.filter(\.isRecorded)
                .flatMap { topic in
                    (self.history.records[topic] ?? [:]).values.joined()
                        .map(\.recorded)
                        .map { record in
                            RecordTables.EventRow(
                                topic: topic.rawValue,
                                partition: record.topicPartition.partition,
                                offset: record.offset,
                                key: record.key,
                                value: record.value
                            )
                        }
                }
                .sorted { ($0.topic, $0.partition, $0.offset) < ($1.topic, $1.partition, $1.offset) }
            guard rows == expected else {
                let difference = zip(rows, expected).first { $0 != $1 }
                return [
                    "records: \(rows.count) rows, not \(expected.count); the first that differs is "
                        + "\(difference.map { "\($0.0.topic)/\($0.0.partition)/\($0.0.offset)" } ?? "behind them")"
                ]
            }
            let interactions = try self.world.tables.interactions()
            return self.terminalResponses.compactMap { event in
                guard let request = event.request else { return "records: a terminal response names no request" }
                let row = interactions[request]
                guard row?.terminal == 1, row?.endReason == event.data["endReason"]?.string else {
                    return "records: interaction \(request) is recorded as \(row.map { "\($0)" } ?? "nothing")"
                }
                return nil
            }
        } catch {
            return ["records: cannot be read: \(error)"]
        }
    }
}
