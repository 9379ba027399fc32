internal import IntentAudit
internal import IntentOperations
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
            case "say": return try await self.say(story, request.form)
            default: return nil
            }
        case "dead-letters" where path.count == 1: return try await self.redrive(request.form)
        case "audit" where path.count == 1: return self.beginAudit(request.form)
        case "talk" where path.count == 1: return try await self.ask(request.form)
        default: return nil
        }
    }

    private func redrive(_ form: Fields) async throws -> HTTPServerResponse? {
        let isDryRun = form["do"] != "send"
        guard self.operations.topics != nil, isDryRun || self.operations.allowsWrites else { return nil }
        var page = try await self.deadLettersPage()
        let names = form.all.filter { $0.name.hasPrefix("letter-") }.map(\.value)
        page.isDryRun = isDryRun
        if names.isEmpty {
            page.problem = "Select at least one dead letter."
        } else {
            do {
                page.redrive = try await self.operations.redrive(names, isDryRun: isDryRun)
            } catch {
                page.problem = "\(error)"
            }
        }
        return HTTPServerResponse(page.page(in: self.frame), status: page.problem == nil ? 200 : 400)
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
