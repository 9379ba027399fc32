import ArgumentParser
import Foundation
import IntentEvents
import IntentKit
import IntentOperations
import IntentScenarios
import UnixSignals

/// An interaction in the terminal: shows its events and sends the input, until it has ended.
struct TerminalConversation {
    /// The device that the user asks from.
    static let deviceID = "terminal"

    let conversation: Conversation
    /// Puts events in words.
    let text: ConversationText
    /// Reads the input.
    let replies: TypedReply
    /// The longest that an answer may take, in seconds.
    let wait: Int
    /// The input, and Ctrl-C.
    let interruption: Interruption

    /// Asks, and talks until the end.
    ///
    /// Ctrl-C cancels the interaction and waits for its end; a second Ctrl-C leaves at once.
    /// - Throws: `ExitCode`, 1 for a failure and 130 after Ctrl-C; ``OperationError`` when there is no answer;
    ///   `LogError`.
    func run(asking request: JSONValue) async throws {
        let event = self.conversation.makeEvent(EventType.intentRequested.rawValue, data: request)
        try await self.conversation.send([event])
        try await withThrowingTaskGroup(of: Void.self) { group in
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            group.addTask {
                for await signal in signals {
                    let isFirst = self.interruption.begin()
                    // Whoever ends the process does not wait, and neither does a second Ctrl-C.
                    if signal == .sigterm { ProcessEnd.now(128 + SIGTERM) }
                    guard isFirst else { ProcessEnd.now(ExitStatus.interrupted.rawValue) }
                    let data: JSONValue = ["user": self.user, "reason": "interrupted"]
                    let event = self.conversation.makeEvent(EventType.interactionCancelled.rawValue, data: data)
                    try await self.conversation.send([event])
                }
            }
            try await self.talk(about: event.id)
            group.cancelAll()
        }
    }

    private var user: JSONValue { ["id": .string(self.conversation.userID.text)] }

    private func talk(about requestID: String) async throws {
        let wrap = WordWrap.output
        // An event that waits for input.
        var asked: Event?
        // What has been shown of the words that were read.
        var understood: JSONValue?
        while true {
            let event = try await self.next()
            let lines = self.text.understood(event, after: understood) + self.text.lines(event)
            for line in lines.flatMap(wrap.lines) { StandardOutput.print(line) }
            understood = event.data["understood"] ?? understood
            if event.data["terminal"]?.bool ?? false {
                try self.end(isFailure: event.data["status"] == "failure")
                return
            }
            if event.knownType == .eventRejected {
                // A finished request has no more events; invalid input leaves the question open.
                guard event.data["eventId"]?.string != requestID else { return try self.end(isFailure: true) }
                guard event.data["reason"] == "invalid" else { continue }
            } else {
                asked = self.replies.hint(event) == nil ? nil : event
            }
            if let asked { try await self.reply(to: asked) }
        }
    }

    private func end(isFailure: Bool) throws {
        StandardOutput.printWrapped("interaction \(self.conversation.id)", TextStyle.output.faint)
        if self.interruption.hasBegun { throw ExitCode(ExitStatus.interrupted.rawValue) }
        if isFailure { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }

    /// Reads input until it is understood, and sends it.
    private func reply(to event: Event) async throws {
        guard let hint = self.replies.hint(event) else { return }
        let completion = self.replies.completion(event)
        while true {
            let line = await self.interruption.input.line(hint: hint, completion: completion) { [replies] line in
                replies.isRemembered(line, at: event)
            }
            // Its cancellation has been sent already.
            if line == nil, self.interruption.hasBegun { return }
            var reply: (type: EventType, data: JSONObject)
            do throws(NotUnderstood) {
                reply = try self.replies.event(line, to: event, deviceID: Self.deviceID)
            } catch {
                for line in WordWrap.output.lines("✗ \(error.message)") {
                    StandardOutput.print(TextStyle.output.bad(line))
                }
                continue
            }
            reply.data["user"] = self.user
            let sent = self.conversation.makeEvent(reply.type.rawValue, data: .object(reply.data))
            return try await self.conversation.send([sent])
        }
    }

    private func next() async throws -> Event {
        do throws(Conversation.Failure) {
            return try await self.conversation.next(timeout: .seconds(self.wait))
        } catch .timedOut {
            throw OperationError(
                .unavailable,
                "no answer within \(self.wait) s: are workers running (`intentd up`)? `intentd lag` shows the backlog; the "
                    + "interaction is \(self.conversation.id)"
            )
        }
    }
}
