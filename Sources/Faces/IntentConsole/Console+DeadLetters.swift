internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime
internal import LocalHTTP

extension Console {
    /// The pages of dead letters.
    func deadLetters(_ path: [String], _ query: Fields) async throws -> HTTPServerResponse? {
        if path.isEmpty { return HTTPServerResponse(try await self.deadLettersPage(query).page(in: self.frame)) }
        guard path.count == 2, let partition = Int(path[0]), let offset = Int64(path[1]) else { return nil }
        let position = RecordPosition(.deadLetters, partition, offset)
        let story = try? await self.records.archive().letterStories(at: [position]).first
        let masking = self.operations.masking
        if let story {
            let letter = MaskedLetter(story, prefix: self.operations.configuration.prefix, masking)
            var page = DeadLetterPage(letter: letter, interaction: story.interaction, redrivenAs: story.redrivenAs)
            page.formToken = self.operations.allowsWrites ? self.gate.formToken : nil
            return HTTPServerResponse(page.page(in: self.frame))
        }
        // The recorder may not have read it yet.
        guard self.operations.topics != nil,
            let letter = try await self.operations.letters([DeadLetterName(position).text]).first
        else { return nil }
        return HTTPServerResponse(DeadLetterPage(letter: MaskedLetter(letter, masking)).page(in: self.frame))
    }

    /// The list with the filter of an address or a form.
    func deadLettersPage(_ query: Fields) async throws -> DeadLettersPage {
        let (filter, problem) = DeadLettersPage.filter(query, now: self.clock.now)
        var page = DeadLettersPage(
            query: query,
            list: try await DeadLetterList(
                try await self.records.archive(),
                filter,
                limit: DeadLettersPage.limit,
                prefix: self.operations.configuration.prefix,
                self.operations.masking
            ),
            intents: self.intents.compactMap { $0["name"]?.string },
            formToken: self.gate.formToken,
            canAsk: self.operations.topics != nil,
            canSend: self.operations.allowsWrites
        )
        page.problem = problem
        return page
    }

    /// Sends the requests of the selected letters again, shows what would be sent, or marks the letters as handled.
    func redrive(_ form: Fields) async throws -> HTTPServerResponse? {
        let isDryRun = !["send", "handle"].contains(form["do"])
        guard self.operations.topics != nil, isDryRun || self.operations.allowsWrites else { return nil }
        var page = try await self.deadLettersPage(form)
        page.isDryRun = isDryRun
        let chosen = form.all.filter { $0.name.hasPrefix("letter-") }.map(\.value)
        let names = form["all"] == nil ? chosen : Array(page.list.unhandled.prefix(DeadLettersPage.maximumRedrive))
        if page.problem != nil {
            // A filter that could not be read must not select more than was meant.
        } else if names.isEmpty {
            page.problem = "Select at least one dead letter."
        } else {
            do {
                let by = try OperatorName.console(form["by"], reason: form["reason"])
                if form["do"] == "handle" {
                    let marked = try await self.operations.handle(names, by: by)
                    page.marked = marked
                    // The recorder may not have read the marks yet.
                    for (letter, before) in marked {
                        page.list.mark(
                            letter.name,
                            before ?? LetterHandling(by: by.name, at: self.clock.now, note: by.reason)
                        )
                    }
                } else {
                    page.redrive = try await self.operations.redrive(names, isDryRun: isDryRun, by: by)
                }
            } catch {
                page.problem = "\(error)"
            }
        }
        return HTTPServerResponse(page.page(in: self.frame), status: page.problem == nil ? 200 : 400)
    }
}
