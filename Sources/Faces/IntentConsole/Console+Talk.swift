internal import Foundation
internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import LocalHTTP

/// Conversations in the browser, which the console holds as a client of a gateway.
extension Console {
    /// The page that begins a conversation.
    func talkPage(_ query: Fields) -> HTTPServerResponse? {
        guard self.talk != nil else { return self.withoutGateway }
        return HTTPServerResponse(self.talkForm(query).page(in: self.frame))
    }

    /// Asks for an intent, and shows the conversation once it is recorded.
    func ask(_ form: Fields) async throws -> HTTPServerResponse? {
        guard let talk = self.talk else { return self.withoutGateway }
        guard let intent = form["intent"], let user = form["user"].map({ UserID($0) }) else { return nil }
        let request = Talk.Request(
            intent: intent,
            values: form.all.filter { $0.name.hasPrefix("p-") }
                .map { (name: String($0.name.dropFirst(2)), value: $0.value) },
            user: user,
            device: form["device"] ?? "console",
            isLocked: form["locked"] != nil,
            locale: form["locale"],
            timeZone: form["timeZone"]
        )
        let key = Self.key(of: form)
        let id: InteractionID
        do {
            id = try await talk.ask(request, key: key)
        } catch {
            let unsent = try Unsent(error)
            var page = self.talkForm(unsent.kept(form, key))
            page.problem = unsent.text
            return HTTPServerResponse(page.page(in: self.frame), status: unsent.status)
        }
        for _ in 0..<50 {
            if let found = try await self.records.archive().latest(id), found.requestedAt != nil {
                return .seeOther("/interactions/\(found.position.partition)/\(found.position.offset)")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        return .seeOther("/interactions\(Fields([("user", user.text)]).query)")
    }

    /// Sends what was typed on an interaction's page.
    func say(_ story: InteractionStory, _ form: Fields) async throws -> HTTPServerResponse? {
        guard let talk = self.talk else { return self.withoutGateway }
        let position = story.interaction.position
        let redirect = HTTPServerResponse.seeOther("/interactions/\(position.partition)/\(position.offset)")
        // Where nothing is waited for any more, or not yet, the page shows the current state.
        guard let event = Self.waiting(story), let line = form["line"] ?? form["typed"] else { return redirect }
        let key = Self.key(of: form)
        do {
            try await talk.reply(to: event, line, on: form["device"] ?? "console", key: key)
        } catch {
            let unsent = try Unsent(error)
            var page = self.page(of: story)
            page.unsent = unsent.text
            page.reply = unsent.kept(form, key)
            return HTTPServerResponse(page.page(in: self.frame), status: unsent.status)
        }
        _ = try await self.recorded(after: event.id, of: story)
        return redirect
    }

    /// Waits briefly until an event newer than that one is recorded, so that the page shows it.
    private func recorded(after id: String, of story: InteractionStory) async throws -> Bool {
        for _ in 0..<30 {
            try await Task.sleep(for: .milliseconds(100))
            let now = try await self.records.archive().story(ofRequest: story.interaction.position)
            if let now, now.interaction.endedAt != nil || Self.waiting(now)?.id != id { return true }
        }
        return false
    }

    private func talkForm(_ typed: Fields) -> TalkPage {
        TalkPage(
            intents: self.intents,
            chosen: typed["intent"],
            formToken: self.gate.formToken,
            timeZone: TimeZone.current.identifier,
            typed: typed.with("id", Self.key(of: typed).uuidString)
        )
    }

    /// What is missing where conversations are allowed; nil where they are not.
    private var withoutGateway: HTTPServerResponse? {
        self.operations.allowsWrites ? self.error(404, "Talk", TalkPage.needsGateway) : nil
    }

    /// The id of what a form sends; a new one if it has none.
    private static func key(of form: Fields) -> UUID { form["id"].flatMap { UUID(uuidString: $0) } ?? UUID() }

    /// Why nothing was sent, or nothing is known about it.
    private struct Unsent {
        let text: String
        /// Whether it certainly has no effect; otherwise the same form again must have the same id.
        private let isRefused: Bool

        /// - Throws: Errors that are not about what was sent.
        init(_ error: any Error) throws {
            switch error {
            case let error as NotUnderstood: (self.text, self.isRefused) = (error.message, true)
            case let error as OperationError: (self.text, self.isRefused) = (error.message, error.code == .usage)
            default: throw error
            }
        }

        var status: Int { self.isRefused ? 400 : 503 }

        /// The form for another try.
        func kept(_ form: Fields, _ key: UUID) -> Fields {
            form.with("id", (self.isRefused ? UUID() : key).uuidString)
        }
    }
}
