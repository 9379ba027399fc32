internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRuntime
internal import LocalHTTP

extension Console {
    /// How long a form waits until the stages have read it, so that the page that follows shows what it did.
    private static let readingTime = Duration.seconds(3)

    /// What is paused, with the fields of an address, or of a form that was refused.
    func pauses(_ form: Fields, problem: String? = nil) -> HTTPServerResponse {
        var page = PausesPage(form: form)
        if self.operations.allowsWrites, let registry = self.operations.intents?.registry {
            page.intents = registry.intentNames
            page.apps = registry.appNames
            page.formToken = self.gate.formToken
        }
        page.problem = problem
        var response = HTTPServerResponse(page.beginning(in: self.frame)) { [page] in
            page.rest(try await self.operations.pauses())
        }
        if problem != nil { response.status = 400 }
        return response
    }

    /// Pauses an intent or an app, or ends its pause.
    func actOnPause(_ form: Fields) async throws -> HTTPServerResponse? {
        let kinds: [OperatorAct.Kind] = [.pause, .resume]
        guard self.operations.allowsWrites, let kind = kinds.first(where: { $0.rawValue == form["do"] })
        else { return nil }
        do {
            guard let target = form["target"].flatMap({ Pause.Target($0) }) else {
                throw OperationError(.usage, "Select an intent or an app.")
            }
            let stages = PausesPage.stages(form)
            guard !stages.isEmpty else { throw OperationError(.usage, "Select at least one stage.") }
            let by = try OperatorName.console(form["by"], reason: form["reason"])
            try await self.operations.act(kind, on: target, in: stages, by: by)
            try await self.waitUntilRead(kind, target, stages)
            return .seeOther("/pauses\(Fields([(kind.rawValue, target.description)]).query)")
        } catch let error as OperationError {
            return self.pauses(form, problem: error.message)
        }
    }

    private func waitUntilRead(_ kind: OperatorAct.Kind, _ target: Pause.Target, _ stages: [Stage]) async throws {
        let end = self.clock.uptime + Self.readingTime
        while self.clock.uptime < end {
            let paused = try await self.operations.pauses().filter { $0.pause.target == target }.map(\.stage)
            if stages.allSatisfy({ paused.contains($0) == (kind == .pause) }) { return }
            try await self.clock.sleep(for: .milliseconds(100))
        }
    }
}
