internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

extension SeedCheck {
    /// Each step of a task is committed once, and its result is the one that the handler continues with (R74c); both
    /// effects are made, or undone once each and named (R75), and a client's mistake is named at the end (R79).
    func tasks() -> [String] {
        let committed = self.committedSteps()
        var violations: [String] = []
        for (name, results) in committed.sorted(by: { $0.key < $1.key }) where results.count > 1 {
            violations.append("tasks: step \(name) was committed \(results.count) times")
        }
        for end in self.terminalResponses where end.data["intent"]?["name"] == .string(SimulatedTask.intentName) {
            violations += self.undone(by: end)
            guard end.data["endReason"] == "nominal", end.data["phase"] == "handle", let subject = end.subject,
                let request = end.request
            else { continue }
            let expected = (0..<TaskScript.steps).map { committed["\(request)/step \($0 % 2)/\($0 / 2)"]?.first }
            let reported = end.data["response"]?["steps"]?.array ?? []
            if reported.map(Optional.some) != expected {
                violations.append("tasks: \(subject) was done with the steps \(reported), and committed \(expected)")
            }
            let made = self.world.store.rows.filter { $0.interaction == subject.text }.map(\.ordinal)
            if made != SimulatedTaskHandler.effects.keys.sorted().map({ Int64($0) }) {
                violations.append("tasks: \(subject) was done with the effects before \(made)")
            }
            if self.hasMistake(request), !self.warnings(of: end).contains(SimulatedTaskUser.mistake) {
                violations.append("tasks: the end of \(subject) names no mistake of the request")
            }
        }
        return violations + self.plainEnds()
    }

    /// The committed results of each step, by `<request>/<name>/<ordinal>`.
    private func committedSteps() -> [String: [JSONValue]] {
        var committed: [String: [JSONValue]] = [:]
        for turn in self.history.turns.values.joined().map(\.turn) {
            guard case .step(let step)? = turn.note, let request = turn.request else { continue }
            committed["\(request)/\(step.name)/\(step.ordinal)", default: []].append(step.value)
        }
        return committed
    }

    private func hasMistake(_ request: RequestID) -> Bool {
        let position = RecordPosition("requests/\(request.text.split(separator: ":").joined(separator: "/"))")
        return position.flatMap { self.event(at: $0) }?.data[SimulatedTaskUser.mistake] != nil
    }

    private func warnings(of end: Event) -> [String] {
        (end.data["warnings"]?.array ?? []).compactMap { $0["member"]?.string }
    }

    /// Effects are undone once, the last one first, and the end names each of them, and each that was not undone.
    private func undone(by end: Event) -> [String] {
        guard let subject = end.subject else { return [] }
        let undone = self.world.store.undoneRows.filter { $0.interaction == subject.text }.map(\.ordinal)
        let names = undone.compactMap { SimulatedTaskHandler.effects[Int($0)] }
        let reported = (end.data["undone"]?.array ?? []).compactMap(\.string)
        let failed = (end.data["undoFailed"]?.array ?? []).compactMap { $0["effect"]?.string }
        var violations: [String] = []
        if zip(undone, undone.dropFirst()).contains(where: { $0 <= $1 }) {
            violations.append("tasks: \(subject) has undone its effects in the order \(undone)")
        }
        if !Set(reported).isSubset(of: names) || !Set(names).isSubset(of: reported + failed) {
            violations.append("tasks: \(subject) has undone \(names), and reports \(reported)")
        }
        let made = self.world.store.rows.count { $0.interaction == subject.text }
        // Where the store could not be reached, nothing is undone (R35b); nor after an end that was lost (R75b).
        let hasEnded = end.request.map { self.world.store.closedAgain.contains($0.text) } ?? false
        if end.data["status"] == "failure", made > 0, failed.isEmpty, end.data["effectsIncomplete"] != true, !hasEnded {
            violations.append("tasks: \(subject) has failed after \(made) effects that could be undone")
        }
        return violations
    }

    /// A task without any other trouble ends as its script says, wherever its process was killed.
    private func plainEnds() -> [String] {
        guard let script = self.world.crashScript else { return [] }
        return self.terminalResponses.compactMap { end in
            let undone = (end.data["undone"]?.array ?? []).compactMap(\.string)
            let reason = end.data["endReason"]?.string ?? "nothing"
            let isExpected = script.fails ? reason == "failed" && undone == ["charge", "reserve"] : reason == "nominal"
            return isExpected ? nil : "tasks: \(end.subject ?? "") has ended with \(reason) and undone \(undone)"
        }
    }
}
