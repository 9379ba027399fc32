internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime
internal import LocalHTTP

extension Console {
    /// Carries out a form that the gate has admitted.
    func act(_ request: HTTPServerRequest) async throws -> HTTPServerResponse? {
        let path = request.path
        switch path.first {
        case "interactions" where path.count == 4:
            guard let story = try await self.story(Array(path[1...2])) else { return nil }
            switch path[3] {
            case "replay": return await self.replay(story)
            case "act": return try await self.act(on: story, request.form)
            case "say": return try await self.say(story, request.form)
            default: return nil
            }
        case "interactions" where path.count == 1: return try await self.save(request.form)
        case "dead-letters" where path.count == 1: return try await self.redrive(request.form)
        case "waiting" where path.count == 1: return try await self.decide(request.form)
        case "pauses" where path.count == 1: return try await self.actOnPause(request.form)
        case "audit" where path.count == 1: return self.beginAudit(request.form)
        case "talk" where path.count == 1: return try await self.ask(request.form)
        default: return nil
        }
    }

    /// Cancels an interaction, or begins its next attempt.
    private func act(on story: InteractionStory, _ form: Fields) async throws -> HTTPServerResponse? {
        let kinds: [OperatorAct.Kind] = [.cancel, .retry]
        guard self.operations.allowsWrites, let kind = kinds.first(where: { $0.rawValue == form["do"] }),
            let id = story.interaction.interactionID, let user = story.interaction.userID
        else { return nil }
        do {
            try await self.operations.act(
                kind,
                on: id,
                of: user,
                request: story.interaction.request,
                by: try OperatorName.console(form["by"], reason: form["reason"])
            )
        } catch let error as OperationError {
            var page = self.page(of: story)
            page.refusal = error.message
            return HTTPServerResponse(page.page(in: self.frame), status: 400)
        }
        let position = story.interaction.position
        let acted = Fields([("acted", kind.rawValue)]).query
        return .seeOther("/interactions/\(position.partition)/\(position.offset)\(acted)")
    }

    private func decide(_ form: Fields) async throws -> HTTPServerResponse? {
        guard self.operations.allowsWrites, let id = form["interaction"], let user = form["user"],
            let outcome = form["decision"].flatMap(OperatorDecision.Outcome.init(rawValue:))
        else { return nil }
        var decision = WaitingBox.Decision(outcome)
        func typed(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
        decision.code = typed("code")
        decision.dialog = typed("dialog")
        if let details = typed("details") {
            guard let members = (try? JSONValue(parsing: details))?.object else {
                return self.waiting(form, problem: "The details are no JSON object, such as {\"order\": 17}.")
            }
            decision.details = members
        }
        do {
            _ = try await self.operations.decide(
                InteractionID(id),
                of: UserID(user),
                decision,
                by: try OperatorName.console(form["by"], reason: form["reason"])
            )
        } catch let error as OperationError {
            return self.waiting(form, problem: error.message)
        }
        return .seeOther("/waiting\(Fields([("decided", id)]).query)")
    }

    private func beginAudit(_ form: Fields) -> HTTPServerResponse? {
        let number: Int
        switch form["kind"].flatMap(AuditJobs.Kind.init(rawValue:)) {
        case .verify:
            guard self.operations.topics != nil else { return nil }
            number = self.jobs.begin(.verify) { .verified(try await self.operations.verify($0)) }
        case .replay:
            guard self.operations.canReplay else { return nil }
            number = self.jobs.begin(.replay) {
                .replayed(
                    try await self.operations.replay(ReplaySelection(), verdictLimit: Self.maximumVerdicts, $0)
                )
            }
        case .shadow:
            guard self.operations.canReplay else { return nil }
            number = self.jobs.begin(.shadow) { .shadowed(try await self.operations.shadow(ReplaySelection(), $0)) }
        case nil: return nil
        }
        return .seeOther("/audit/\(number)")
    }
}
