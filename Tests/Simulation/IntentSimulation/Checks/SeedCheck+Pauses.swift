internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

extension SeedCheck {
    /// The time of a pause in one stage and partition, in commits of its worker.
    ///
    /// The turns of the commit that notes it, or its end, run before they know of it.
    private struct Span {
        var pause: Pause
        var begin: Int
        var end: Int?

        /// Whether it lasts from before the turns of one commit until those of another have run.
        func covers(_ first: Int, _ last: Int) -> Bool { self.begin < first && (self.end ?? .max) >= last }
    }

    /// What is known of a stage in a partition, turn by turn.
    private struct Watch {
        var spans: [Span] = []
        /// The last commit that says of a turn that it was about to begin, or running.
        var begun: [RecordPosition: Int] = [:]

        /// The number of attempts that were made of each interaction that was held.
        var attempts: [RequestID: Int] = [:]

        /// Begins or ends a pause.
        mutating func note(_ act: OperatorAct, _ event: Event, in commit: Int) {
            guard let target = act.target.flatMap({ Pause.Target($0) }) else { return }
            for index in self.spans.indices where self.spans[index].pause.target == target {
                self.spans[index].end = self.spans[index].end ?? commit
            }
            guard act.kind == .pause else { return }
            let pause = Pause(target, id: event.id, since: event.time, by: act.by.name, reason: act.by.reason)
            self.spans.append(Span(pause: pause, begin: commit))
        }
    }

    /// While an intent is paused in a stage, no attempt of its handler begins there, and only then is anything held
    /// (R82d); pauses last in the state as long as nobody has ended them (R82e).
    ///
    /// Judged by the order of turns and commits, whatever the clocks said.
    func pauses() -> [String] {
        var violations: [String] = []
        var open: Set<StateKey> = []
        for (partition, entries) in self.history.turns.sorted(by: { $0.key < $1.key }) {
            var watches: [Stage: Watch] = [:]
            for entry in entries where entry.turn.note == nil {
                let turn = entry.turn
                guard let commit = self.history.commits[entry.id] else {
                    violations.append("pauses: nobody has committed the turn for \(turn.position)")
                    continue
                }
                let event = self.event(at: turn.position)
                let act = event.flatMap { turn.position.topic == .requests ? nil : OperatorAct($0) }
                var watch = watches[turn.stage] ?? Watch()
                if turn.outcome == .parked {
                    watch.begun[turn.position] = commit
                    // The parked turn whose next attempt it begins, for a timer or for an operator.
                    if act?.kind == .retry || event?.data["what"] == "retry",
                        let parked = self.parkedTurn(before: turn)
                    {
                        watch.begun[parked.event.position] = commit
                    }
                } else if let act, let event, [.pause, .resume].contains(act.kind), turn.outcome == .noted {
                    watch.note(act, event, in: commit)
                } else {
                    violations += self.problems(with: turn, event, act, watch, commit: commit)
                    violations += self.problemWithAttempts(of: turn, &watch)
                }
                watches[turn.stage] = watch
            }
            let keeper = Pause.keeper(ofPartition: partition, of: self.world.plan.partitions)
            for (stage, watch) in watches {
                for span in watch.spans where span.end == nil {
                    open.insert(StateKey(stage: stage, user: keeper, name: StateName.pause(span.pause.target)))
                }
            }
        }
        let kept = Set(self.history.state.keys.filter { $0.name.hasPrefix(StateName.pauses) })
        for key in open.symmetricDifference(kept).map({ "\($0.stage?.rawValue ?? "")/\($0.user)/\($0.name)" }).sorted()
        {
            violations.append("pauses: \(key) is in the state or was not ended, and not both")
        }
        if !self.world.plan.leavesPauses, !kept.isEmpty { violations.append("pauses: something is paused at the end") }
        return violations
    }

    private func problems(
        with turn: TurnRecord,
        _ event: Event?,
        _ act: OperatorAct?,
        _ watch: Watch,
        commit: Int
    ) -> [String] {
        let begun = watch.begun[turn.position] ?? commit
        if let held = turn.held {
            let isKnown = watch.spans.contains { span in
                span.pause == held && span.begin < commit && (span.end ?? .max) >= begun
            }
            guard self.world.plan.asksBack else { return ["pauses: \(turn.position) was held with format 1"] }
            return isKnown ? [] : ["pauses: \(turn.stage) held \(turn.position), and \(held.id) was no pause then"]
        }
        // Format 1 has no pauses (R82f); what runs already continues.
        guard self.world.plan.asksBack, turn.handlerName != nil, Self.isArrival(event, act),
            let intent = turn.intentName,
            let span = watch.spans.first(where: { $0.covers(begun, commit) && $0.pause.holds(intent, of: "Simulation") }
            )
        else { return [] }
        return ["pauses: \(turn.stage) called the handler for \(turn.position) in spite of \(span.pause.id)"]
    }

    /// A pause counts as no attempt (R82e).
    private func problemWithAttempts(of turn: TurnRecord, _ watch: inout Watch) -> [String] {
        guard let request = turn.request, turn.held != nil || watch.attempts[request] != nil else { return [] }
        let wait = turn.before[StateName.interaction(request)].flatMap { Interaction(text: $0)?.waiting }
        defer { if turn.held != nil { watch.attempts[request] = (wait?.attempts ?? 0) + turn.attempt - 1 } }
        guard let wait, wait.reason == .paused, let made = watch.attempts[request], wait.attempts != made else {
            return []
        }
        return ["pauses: \(turn.position) found \(wait.attempts) attempts of \(request), and \(made) were made"]
    }

    /// Whether an interaction comes to a stage with an event, or to its next attempt there.
    private static func isArrival(_ event: Event?, _ act: OperatorAct?) -> Bool {
        switch event?.knownType {
        case .intentRequested, .interactionReturned, .intentResolved, .intentConfirmed: true
        case .timerFired: ["again", "resume"].contains(event?.data["what"]?.string)
        case .operatorActed: act?.kind == .retry
        default: false
        }
    }
}
