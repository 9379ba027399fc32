import ArgumentParser
import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import IntentScenarios
import Synchronization
import UnixSignals

/// `intentd ask`: a conversation in the terminal.
struct AskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Ask for an intent and answer its prompts in the terminal.",
        discussion: """
            Workers must be running, for example `intentd up` in another terminal.

              intentd ask INSendMessageIntent recipients=Jeff content="See you at eight"

            A value is what a person says for it (tomorrow, 7pm, 12 EUR, 20 min), or JSON; a list is separated by \
            commas. At a prompt type a value, the number of a choice, yes, no, cancel, or parameter=value to correct \
            something. Ctrl-C cancels the interaction, and once more leaves at once. What is handed to the app is \
            answered here for the app.
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

    @Flag(help: "Ask although the intent, or a parameter, is not known here: workers elsewhere may serve it.")
    var unchecked = false

    @Argument(help: "The intent's name.")
    var intent: String

    @Argument(help: ArgumentHelp("Values that are said at once.", valueName: "parameter=value"))
    var values: [String] = []

    func validate() throws {
        guard (1...86_400).contains(self.wait) else { throw ValidationError("--wait is 1 to 86400 seconds") }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let registry = try IntentSet(configuration).registry
        let hasSamples = configuration.servesSamples
        let registration = registry[self.intent]?.registration
        if registration == nil, !self.unchecked {
            throw self.unknownIntent(among: registry.intentNames, hasSamples: hasSamples)
        }
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
    private func parameters(of registration: IntentRegistration?) throws -> JSONObject {
        var parameters: JSONObject = [:]
        for text in self.values {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandFailure(.usage, "'\(text)' is no parameter=value, such as content=Hello")
            }
            let name = String(parts[0])
            let known = registration?.parameters.first { $0.name == name }
            if known == nil, let registration, !self.unchecked {
                let names = registration.parameters.map(\.name)
                throw CommandFailure(
                    .usage,
                    "\(self.intent) has no parameter \(name)\(NearMiss.hint(name, among: names)); it has "
                        + (names.isEmpty ? "none" : names.joined(separator: ", "))
                )
            }
            parameters[name] = TypedText().value(String(parts[1]), for: known)
        }
        return parameters
    }

    private func unknownIntent(among names: [String], hasSamples: Bool) -> CommandFailure {
        CommandFailure(
            .usage,
            """
            nobody here supports an intent \(self.intent)\(NearMiss.hint(self.intent, among: names)); there are:
              \(names.sorted().joined(separator: "\n  "))
            \(hasSamples ? "" : "--samples knows those of the sample apps, too\n")\
            --unchecked asks all the same, for workers that serve more than this program knows
            """
        )
    }

    private static func answers(_ registration: IntentRegistration?) -> TypedAnswer {
        TypedAnswer(parameters: registration?.parameters ?? [], constraints: registration?.constraints ?? [:])
    }

    private func converse(
        _ client: ConversationClient,
        _ registration: IntentRegistration?,
        _ parameters: JSONObject
    ) async throws {
        let sensitive = (registration?.parameters ?? []).filter(\.isSensitive).map(\.name)
        let text = ConversationText(
            sensitiveParameters: Set(sensitive),
            registration: registration,
            locale: self.locale
        )
        let user: JSONValue = ["id": .string(self.user)]
        let conversation = client.open(
            id: InteractionID(UUID().uuidString.lowercased()),
            userID: UserID(self.user)
        )
        defer { conversation.close() }
        let request: JSONValue = [
            "intent": IntentSnapshot(name: self.intent, parameters: parameters).json, "user": user,
            "locale": .string(self.locale), "device": ["id": .string(Self.deviceID), "locked": .bool(self.locked)],
        ]
        try await conversation.send([conversation.makeEvent(EventType.intentRequested.rawValue, data: request)])
        let interruption = Interruption()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let signals = await UnixSignalsSequence(trapping: .sigint)
            group.addTask {
                for await _ in signals {
                    // Whoever presses it once more wants to be gone.
                    guard interruption.begin() else { Foundation.exit(130) }
                    StandardOutput.print("")
                    let data: JSONValue = ["user": user, "reason": "interrupted"]
                    let event = conversation.makeEvent(EventType.interactionCancelled.rawValue, data: data)
                    try await conversation.send([event])
                }
            }
            try await self.talk(
                in: conversation,
                text: text,
                replies: TypedReply(answers: Self.answers(registration)),
                interruption
            )
            group.cancelAll()
        }
    }

    /// Shows what comes and sends what is typed, until the interaction has ended.
    private func talk(
        in conversation: Conversation,
        text: ConversationText,
        replies: TypedReply,
        _ interruption: Interruption
    ) async throws {
        let wrap = WordWrap.output
        var lines = interruption.lines.makeAsyncIterator()
        while true {
            let event = try await self.next(of: conversation)
            for line in text.lines(event).flatMap(wrap.lines) { StandardOutput.print(line) }
            if event.data["terminal"]?.bool ?? false {
                StandardOutput.print(TextStyle.output.faint("interaction \(conversation.id)"))
                guard event.data["status"]?.string != "failure" else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
                return
            }
            guard let hint = replies.hint(event) else { continue }
            var reply: (type: EventType, data: JSONObject)?
            while reply == nil {
                StandardOutput.write("[\(hint)] > ")
                let line = await lines.next()
                if !StandardOutput.isTerminal { StandardOutput.print(line ?? "") }
                // Its cancellation is on the way already.
                if line == nil, interruption.hasBegun { break }
                do throws(TypedAnswer.NotUnderstood) {
                    reply = try replies.event(line, to: event, deviceID: Self.deviceID)
                } catch {
                    StandardOutput.print(TextStyle.output.bad("✗ \(error.message)"))
                }
            }
            guard var reply else { continue }
            reply.data["user"] = ["id": .string(self.user)]
            try await conversation.send([conversation.makeEvent(reply.type.rawValue, data: .object(reply.data))])
        }
    }

    /// Ctrl-C in a conversation: what is typed ends, and the interaction is cancelled.
    private final class Interruption: Sendable {
        /// What is typed.
        let lines = TerminalLines()
        private let state = Mutex(false)

        /// Whether it was pressed.
        var hasBegun: Bool { self.state.withLock { $0 } }

        /// Notes that it was pressed; false when it was before.
        func begin() -> Bool {
            let isFirst = self.state.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            self.lines.finish()
            return isFirst
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
