internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

extension SeedCheck {
    /// The turn that says what became of an act, and the turns of its partition before it.
    private struct Verdict {
        var turn: TurnRecord
        var earlier: ArraySlice<History.Entry>
    }

    /// An act of the operators' log.
    private struct LoggedAct {
        var id: String
        var act: OperatorAct
        /// The number of its records that a stage has to decide.
        var records = 0
        /// The last turn for each of its records; for one that was forwarded, where it was forwarded to.
        var verdicts: [Verdict] = []
    }

    /// Each act is one record of the operators' log, and was carried out or refused once in each stage and partition that
    /// it is for (R82, R93).
    func acts() -> [String] {
        let acts = self.loggedActs()
        var violations = self.operatorsLog(acts)
        for act in acts {
            if act.verdicts.count != act.records {
                violations.append("acts: \(act.id) was decided \(act.verdicts.count) times, not \(act.records)")
            }
            for verdict in act.verdicts {
                guard let problem = self.problem(with: verdict, of: act) else { continue }
                let turn = verdict.turn
                violations.append("acts: \(act.act.kind) \(act.id) (\(turn.stage), \(turn.position)) \(problem)")
            }
        }
        let cancelled = Set(
            acts.filter { $0.act.kind == .cancel }.map { [$0.act.user?.text, $0.act.interaction?.text] }
        )
        for end in self.terminalResponses where end.data["endReason"] == "abortedByOperator" {
            if !cancelled.contains([end.userID.text, end.subject?.text]) {
                violations.append("acts: no operator has cancelled \(end.subject ?? "")")
            }
        }
        return violations + self.laterAttempts()
    }

    /// What became of operators' acts.
    func operatorEvents() -> [OperatorEvent: Int] {
        var counts: [OperatorEvent: Int] = [:]
        for act in self.loggedActs() {
            for turn in act.verdicts.map(\.turn) where turn.crash == nil && turn.outcome != .deadLettered {
                let isRefused = turn.outcome == .rejected
                switch act.act.kind {
                case .cancel: counts[isRefused ? .cancelRefused : .cancelled, default: 0] += 1
                case .retry: counts[isRefused ? .retryRefused : .retried, default: 0] += 1
                case .pause: counts[isRefused ? .pauseRefused : .paused, default: 0] += 1
                case .resume: counts[isRefused ? .resumeRefused : .resumed, default: 0] += 1
                case .redrive, .handled, .decide, .vocabulary, .leave, .prune: break
                }
            }
        }
        var held: Set<String> = []
        for turn in self.history.turns.sorted(by: { $0.key < $1.key }).flatMap(\.value).map(\.turn) {
            let key = "\(turn.stage)/\(turn.request ?? "")"
            if turn.held != nil {
                counts[.held, default: 0] += 1
                held.insert(key)
            } else if turn.outcome == .ended || turn.handlerName != nil, held.remove(key) != nil {
                counts[turn.handlerName != nil ? .continued : .endedWhileHeld, default: 0] += 1
            }
        }
        counts[.startedWhilePaused] = self.world.operators.reduce(0) { $0 + $1.startsWhilePaused }
        return counts
    }

    // MARK: The log

    /// The acts that operators have written to `signals`, by id.
    private func loggedActs() -> [LoggedAct] {
        var acts: [String: LoggedAct] = [:]
        for (_, records) in (self.history.records[.signals] ?? [:]).sorted(by: { $0.key < $1.key }) {
            for record in records {
                guard let event = try? StoredRecord(record, topic: .signals).decoded(),
                    event.id.hasPrefix(SimulatedOperator.prefix), let act = OperatorAct(event)
                else { continue }
                var logged = acts[event.id] ?? LoggedAct(id: event.id, act: act)
                // A pause is decided in each stage and partition; another act once, however often it is forwarded.
                if event.stage != nil, logged.records == 0 || [.pause, .resume].contains(act.kind) {
                    logged.records += 1
                }
                acts[event.id] = logged
            }
        }
        for entries in self.history.turns.values {
            var last: [RecordPosition: Int] = [:]
            for (index, entry) in entries.enumerated()
            where entry.turn.eventID.hasPrefix(SimulatedOperator.prefix) && entry.turn.note == nil {
                last[entry.turn.position] = entry.turn.outcome == .forwarded ? nil : index
            }
            for index in last.values.sorted() {
                let verdict = Verdict(turn: entries[index].turn, earlier: entries[..<index])
                acts[verdict.turn.eventID]?.verdicts.append(verdict)
            }
        }
        return acts.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The operators' log has one row for each act, and every act that was acknowledged (R93).
    private func operatorsLog(_ acts: [LoggedAct]) -> [String] {
        do {
            let counts = Dictionary(grouping: try self.world.tables.acts(), by: \.self).mapValues(\.count)
            let ids = Set(acts.map(\.id))
            let wrong = ids.union(counts.keys).filter { counts[$0] != 1 || !ids.contains($0) }.sorted()
            let lost = Set(self.world.operators.flatMap(\.acknowledged)).subtracting(ids).sorted()
            return wrong.map { "acts: \($0) is in the operators' log \(counts[$0] ?? 0) times" }
                + lost.map { "acts: \($0) was acknowledged, and is not on the topic" }
        } catch {
            return ["acts: the operators' log cannot be read: \(error)"]
        }
    }

    // MARK: What became of an act

    /// What is wrong with how an act was decided; nil when nothing is.
    private func problem(with verdict: Verdict, of act: LoggedAct) -> String? {
        let turn = verdict.turn
        let outputs = turn.outputs.compactMap { self.history.responsesByDigest[$0.digest] }
        let rejections = outputs.filter { $0.knownType == .eventRejected && $0.data["eventId"]?.string == act.id }
        guard rejections.count == (turn.outcome == .rejected ? 1 : 0) else {
            return "was \(turn.outcome), and has \(rejections.count) rejections"
        }
        if let rejection = rejections.first {
            return self.problem(with: verdict, rejecting: act.act, rejection.data)
                .map { "was refused (\(rejection.data["detail"]?.string ?? "")), but \($0)" }
        }
        // It was running when another event has ended its interaction, which has one end.
        if turn.isParkingNote { return nil }
        // Condemned, or failed for good: it is a dead letter, and says so.
        let isDeadLetter = turn.outputs.contains { $0.target == Topic.deadLetters.rawValue }
        if turn.crash != nil || isDeadLetter { return nil }
        switch act.act.kind {
        case .cancel:
            let ends = self.terminalResponses.filter { $0.userID == act.act.user && $0.subject == act.act.interaction }
            let reasons = ends.compactMap { $0.data["endReason"]?.string }
            // At once, or when its effects are undone; a follow-up that was not sent yet is reported.
            let isFollowUp = ends.isEmpty && outputs.contains { $0.knownType == .statusUpdated }
            // A turn that is parked for a busy store may time out before its next attempt (R5b): by a timer of its stage.
            let hasTimedOut =
                turn.outcome == .parked && reasons == ["timeout"]
                && self.history.turns.values.joined()
                    .contains { entry in
                        entry.turn.stage == turn.stage && entry.turn.outcome == .ended
                            && entry.turn.eventType == EventType.timerFired.rawValue
                            && entry.turn.userID == act.act.user && entry.turn.interactionID == act.act.interaction
                    }
            return isFollowUp || hasTimedOut || reasons == ["abortedByOperator"]
                ? nil : "was \(turn.outcome), and it ended: \(reasons)"
        case .retry:
            let hasBegun = turn.handlerName != nil || turn.held != nil || [.parked, .ended].contains(turn.outcome)
            if !hasBegun { return "was \(turn.outcome), and no attempt has begun" }
            return self.canRetry(act.act, before: turn) ? nil : "was \(turn.outcome), and there was no attempt to begin"
        case .pause, .resume: return turn.outcome == .noted && act.act.isOnTarget ? nil : "was \(turn.outcome)"
        case .redrive, .handled, .decide, .vocabulary, .leave, .prune: return "was read by a stage"
        }
    }

    /// Why an act should not have been refused; nil when it had to be.
    private func problem(with verdict: Verdict, rejecting act: OperatorAct, _ rejection: JSONValue) -> String? {
        let detail = rejection["detail"]?.string ?? ""
        let isOwn = { (turn: TurnRecord) in turn.userID == act.user && turn.interactionID == act.interaction }
        switch act.kind {
        case .cancel where act.interaction == nil, .retry where act.interaction == nil: return nil
        case .cancel, .retry:
            if rejection["reason"] == "unknown" {
                // Only a request that came after the act has passed the first stage is unknown.
                let passed = verdict.earlier.prefix { $0.turn.eventID != verdict.turn.eventID }
                return passed.contains { $0.turn.opened && isOwn($0.turn) } ? "it had begun" : nil
            }
            if act.kind == .retry {
                return self.canRetry(act, before: verdict.turn) ? "an attempt waited for its time" : nil
            }
            if detail.contains("has ended"),
                !verdict.earlier.contains(where: { $0.turn.outcome == .ended && isOwn($0.turn) })
            {
                return "it had not ended"
            }
            guard detail.contains("has been done"), let id = act.interaction?.text else { return nil }
            let store = self.world.store
            return (store.rows + store.undoneRows).contains { $0.interaction == id } ? nil : "nothing was done"
        case .pause, .resume: return act.isOnTarget ? "it names what there is" : nil
        case .redrive, .handled, .decide, .vocabulary, .leave, .prune: return "a stage has read it"
        }
    }

    /// Whether a turn has found an attempt of the act's interaction that waits for its time.
    private func canRetry(_ act: OperatorAct, before turn: TurnRecord) -> Bool {
        if let parked = self.parkedTurn(before: turn), parked.event.position != turn.position {
            return parked.interactionID == act.interaction && parked.retryAt != nil
        }
        return turn.before.contains { name, text in
            guard name.hasPrefix(StateName.interactions), let interaction = Interaction(text: text),
                interaction.id == act.interaction, let wait = interaction.waiting
            else { return false }
            return wait.reason == .retry || wait.reason == .lookup
        }
    }

    /// An attempt that an operator has begun does not begin again at its time.
    private func laterAttempts() -> [String] {
        var violations: [String] = []
        for (_, entries) in self.history.turns.sorted(by: { $0.key < $1.key }) {
            var retried: [String: RecordPosition] = [:]
            for turn in entries.map(\.turn) where turn.outcome == .parked && !turn.isParkingNote {
                guard let event = self.event(at: turn.position), let parked = self.parkedTurn(before: turn),
                    parked.event.position != turn.position
                else { continue }
                let key = "\(turn.stage)/\(parked.event.position)/\(parked.attempt)"
                if OperatorAct(event)?.kind == .retry {
                    retried[key] = turn.position
                } else if event.data["what"] == "retry", let act = retried[key] {
                    violations.append(
                        "acts: the retry \(act) has not begun the attempt that \(turn.position) has begun"
                    )
                }
            }
        }
        return violations
    }
}

extension OperatorAct {
    /// Whether it names an intent or an app.
    fileprivate var isOnTarget: Bool { self.target.flatMap { Pause.Target($0) } != nil }
}
