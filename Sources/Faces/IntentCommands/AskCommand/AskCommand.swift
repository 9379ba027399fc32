import ArgumentParser
import Foundation
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime
import IntentScenarios

/// `intentd ask`: a conversation in the terminal.
struct AskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Request an intent and answer its prompts in the terminal.",
        discussion: """
            Workers must be running, for example `intentd up` in another terminal.

              intentd ask INSendMessageIntent recipients=Jeff content="See you at eight"

            A value is plain text (tomorrow, 7pm, 12 EUR, 20 min) or JSON; list elements are separated by commas. At a \
            prompt, type a value, the number of a choice, yes, no, cancel, or parameter=value to correct a value. Tab \
            completes, and the arrow keys recall earlier input. Ctrl-C cancels the interaction (exit status 130); a \
            second Ctrl-C exits at once. If an intent is handed to the app, you answer for the app here.
            """
    )

    @Option(help: "The user's id.", transform: IdentityArgument.read)
    var user = "me"

    @Option(help: "The user's language.")
    var locale = "en-US"

    @Flag(help: "Request from a locked device. Some intents wait until it is unlocked.")
    var locked = false

    @Option(help: ArgumentHelp("Timeout of each response.", valueName: "seconds"))
    var wait = 60

    @Flag(help: "Send the request even if the intent or a parameter is unknown here. Workers elsewhere may serve it.")
    var unchecked = false

    @Argument(
        help: "The intent's name.",
        completion: .custom(AskCompletion.intents),
        transform: IdentityArgument.read
    )
    var intent: String

    @Argument(
        help: ArgumentHelp("Parameter values of the request.", valueName: "parameter=value"),
        completion: .custom(AskCompletion.values)
    )
    var values: [String] = []

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...86_400).contains(self.wait) else { throw ValidationError("--wait is 1 to 86400 seconds") }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let registry = try IntentSet(configuration).registry
        let hasSamples = configuration.servesSamples || HandlerSources.current.samples.isEmpty
        let registration = registry[self.intent]?.registration
        if registration == nil, !self.unchecked {
            throw self.unknownIntent(among: registry.intentNames, hasSamples: hasSamples)
        }
        let parameters = try self.parameters(of: registration)
        let access = try LogAccess.find(configuration)
        try await access.useWaiting { log in
            let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
            let client = try await ConversationClient(deployment, on: log, source: "/intentd/ask")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                let history = TypedHistory(path: configuration.data.history)
                try await self.converse(client, registration, parameters, history)
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    /// The values of the command line, with the types of the intent's parameters.
    private func parameters(of registration: IntentRegistration?) throws -> JSONObject {
        var parameters: JSONObject = [:]
        for text in self.values {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw OperationError(.usage, "'\(text)' is not of the form parameter=value, such as content=Hello")
            }
            let name = String(parts[0])
            let known = registration?.parameters.first { $0.name == name }
            if known == nil, let registration, !self.unchecked {
                let names = registration.parameters.map(\.name)
                throw OperationError(
                    .usage,
                    "\(self.intent) has no parameter \(name)\(NearMiss.hint(name, among: names)); it has "
                        + (names.isEmpty ? "none" : names.joined(separator: ", "))
                )
            }
            parameters[name] = TypedText.value(String(parts[1]), for: known)
        }
        return parameters
    }

    private func unknownIntent(among names: [String], hasSamples: Bool) -> OperationError {
        OperationError(
            .usage,
            """
            unknown intent \(self.intent)\(NearMiss.hint(self.intent, among: names)); known intents:\
            \(names.isEmpty ? " none" : "\n  " + names.sorted().joined(separator: "\n  "))
            \(hasSamples ? "" : "--samples includes the intents of the sample apps\n")\
            --unchecked sends the request anyway, for workers that serve other intents
            """
        )
    }

    private func converse(
        _ client: ConversationClient,
        _ registration: IntentRegistration?,
        _ parameters: JSONObject,
        _ history: TypedHistory
    ) async throws {
        let sensitive = (registration?.parameters ?? []).filter(\.isSensitive).map(\.name)
        let conversation = client.open(
            id: InteractionID(UUID().uuidString.lowercased()),
            userID: UserID(self.user)
        )
        let input = TypedInput(history: history.read())
        defer {
            conversation.close()
            if let lines = input.history { history.write(lines) }
        }
        let answers = TypedAnswer(
            parameters: registration?.parameters ?? [],
            constraints: registration?.constraints ?? [:],
            locale: self.locale
        )
        let terminal = TerminalConversation(
            conversation: conversation,
            text: ConversationText(
                masking: Masking([self.intent: Set(sensitive)]),
                registration: registration,
                locale: self.locale
            ),
            replies: TypedReply(answers: answers),
            wait: self.wait,
            interruption: Interruption(input)
        )
        try await terminal.run(asking: [
            "intent": IntentSnapshot(name: self.intent, parameters: parameters).json,
            "user": ["id": .string(self.user)],
            "locale": .string(self.locale),
            "timeZone": .string(TimeZone.current.identifier),
            "device": ["id": .string(TerminalConversation.deviceID), "locked": .bool(self.locked)],
        ])
    }
}
