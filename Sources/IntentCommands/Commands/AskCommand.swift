import ArgumentParser
import Foundation
import IntentEvents
import IntentKit
import IntentRuntime

/// `intentd ask`: a conversation in the terminal.
struct AskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Ask for an intent and answer its prompts in the terminal.",
        discussion: """
            Workers must be running, for example `intentd up` in another terminal.

              intentd ask INSendMessageIntent recipients=Jeff content="See you at eight"

            A value is text, or JSON where the parameter's type is not text; a list is separated by commas. At a prompt \
            type a value, the number of a choice, yes, no, cancel, or parameter=value to correct something. What is \
            handed to the app is answered here for the app.
            """
    )

    /// The device that the user asks from.
    private static let deviceID = "terminal"

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption

    @Option(help: "Who asks.")
    var user = "me"

    @Option(help: "The user's language.")
    var locale = "en-US"

    @Flag(help: "Ask from a locked device: some intents wait until it is unlocked.")
    var locked = false

    @Option(help: ArgumentHelp("How long to wait for each answer.", valueName: "seconds"))
    var wait = 60

    @Argument(help: "The intent's name.")
    var intent: String

    @Argument(help: ArgumentHelp("Values that are said at once.", valueName: "parameter=value"))
    var values: [String] = []

    func validate() throws {
        guard (1...86_400).contains(self.wait) else { throw ValidationError("--wait is 1 to 86400 seconds") }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let registration = try IntentSet(configuration).registry[self.intent]?.registration
        let parameters = try self.parameters(of: registration)
        let access = try LogAccess.find(configuration)
        try await access.use { log in
            let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
            let client = try await ConversationClient(deployment, on: log, source: "/intentd/ask")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                try await self.converse(client, registration, parameters)
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    /// The values of the command line, typed as the intent's parameters are.
    private func parameters(of registration: IntentRegistration?) throws -> [String: JSONValue] {
        var parameters: [String: JSONValue] = [:]
        for text in self.values {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandFailure(.usage, "'\(text)' is no parameter=value, such as content=Hello")
            }
            let name = String(parts[0])
            let known = registration?.parameters.first { $0.name == name }
            parameters[name] = TypedText.value(String(parts[1]), for: known)
        }
        return parameters
    }

    private func converse(
        _ client: ConversationClient,
        _ registration: IntentRegistration?,
        _ parameters: [String: JSONValue]
    ) async throws {
        let sensitive = (registration?.parameters ?? []).filter(\.isSensitive).map(\.name)
        let text = ConversationText(sensitiveParameters: Set(sensitive))
        let user: JSONValue = ["id": .string(self.user)]
        let conversation = client.open(id: UUID().uuidString.lowercased(), userID: self.user)
        defer { conversation.close() }
        let request: JSONValue = [
            "intent": IntentSnapshot(name: self.intent, parameters: parameters).json, "user": user,
            "locale": .string(self.locale), "device": ["id": .string(Self.deviceID), "locked": .bool(self.locked)],
        ]
        try await conversation.send([conversation.makeEvent(EventType.intentRequested.rawValue, data: request)])
        var lines = TerminalLines().makeAsyncIterator()
        while true {
            let event = try await self.next(of: conversation)
            for line in text.lines(event) { StandardOutput.print(line) }
            if event.data["terminal"]?.bool ?? false {
                guard event.data["status"]?.string != "failure" else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
                return
            }
            guard let hint = TypedReply.hint(event) else { continue }
            StandardOutput.write("[\(hint)] > ")
            let line = await lines.next()
            if !StandardOutput.isTerminal { StandardOutput.print(line ?? "") }
            var reply = TypedReply.event(line, to: event, deviceID: Self.deviceID, of: registration)
            reply.data["user"] = user
            try await conversation.send([conversation.makeEvent(reply.type.rawValue, data: .object(reply.data))])
        }
    }

    private func next(of conversation: Conversation) async throws -> Event {
        do throws(Conversation.Failure) {
            return try await conversation.next(timeout: .seconds(self.wait))
        } catch .timedOut {
            throw CommandFailure(
                .unavailable,
                "no answer within \(self.wait) s: are workers running (`intentd up`)? `intentd lag` shows what waits"
            )
        }
    }
}
