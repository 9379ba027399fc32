import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

@Suite("Playing earlier interactions with today's handlers")
struct ShadowTests {
    /// A transfer with something changed.
    private struct ChangedHandler: IntentHandler {
        /// The change.
        enum Change {
            case nothing
            /// `handle` refuses larger amounts.
            case limitInHandle(Int)
            /// Small amounts need no question.
            case asksForMore
            /// It reads something new.
            case reads
            /// It has a new effect.
            case does
            /// It writes the recipient differently.
            case renames
        }

        var change = Change.nothing

        var handling: Handling<TransferIntent> {
            Resolve(by: self.resolveRecipient, \.$recipient)
            Resolve(by: self.resolveAmount, \.$amount)
            Handle(self.handle)
        }

        func resolveRecipient(
            for intent: TransferIntent,
            with context: TurnContext
        ) async throws -> INStringResolutionResult {
            guard let name = intent.recipient, !name.isMissing else { return .needsValue() }
            if case .renames = self.change, name == "eve" { return .success(with: "Eve") }
            return .success(with: name)
        }

        func resolveAmount(
            for intent: TransferIntent,
            with context: TurnContext
        ) async throws -> INIntegerResolutionResult {
            guard let amount = intent.amount else { return .needsValue() }
            if case .asksForMore = self.change, amount > 400 { return .confirmationRequired(with: amount) }
            return .success(with: amount)
        }

        func handle(intent: TransferIntent, context: TurnContext) async throws -> IntentResponse<TransferIntent> {
            if intent.recipient == "never" { try await hangUntilCancelled() }
            if intent.recipient == "passes" && context.attempt == 1 { throw TransferHandler.Hiccup() }
            let balance = try await context.run("balance") { 1_000 }
            if case .limitInHandle(let limit) = self.change, intent.amount ?? 0 > limit {
                return IntentResponse(code: .failure)
            }
            if case .reads = self.change, intent.recipient == "eve" { _ = try await context.run("blacklist") { [""] } }
            let booked = try await context.effect("book") { _ in balance }
            if case .does = self.change, intent.recipient == "eve" {
                let receipt = try await context.effect("receipt") { _ in Receipt(number: 1, text: "r", notes: nil) }
                return IntentResponse(code: .success, details: ["receipt": .string(receipt.text)])
            }
            return IntentResponse(code: .success, details: ["left": .integer(Int64(booked - (intent.amount ?? 0)))])
        }
    }

    private struct Receipt: Codable {
        var number: Int
        var text: String
        var notes: [String]?
    }

    private static func registrations(_ change: ChangedHandler.Change = .nothing) -> [IntentRegistration] {
        [IntentRegistration(version: "\(change)", confirmation: .always) { ChangedHandler(change: change) }]
    }

    /// Transfers: with and without questions, retried, cancelled, never answered, and one that is open.
    private static func run() async throws -> Pipeline {
        try await Pipeline.run(Self.registrations()) { pipeline in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (recipient, amount) in [
                    ("bob", 20), ("bob", 500), ("eve", 30), ("eve", 450), ("passes", 10),
                ] {
                    group.addTask {
                        let id = "\(recipient)-\(amount)"
                        try await pipeline.transfer(
                            InteractionID(id),
                            user: UserID(id),
                            recipient: recipient,
                            amount: amount
                        )
                    }
                }
                group.addTask { try await pipeline.transfer("asked", user: "asked", recipient: nil, amount: nil) }
                group.addTask {
                    let conversation = pipeline.client.open(id: "cancelled", userID: "cancelled")
                    defer { conversation.close() }
                    let data: JSONValue = ["intent": ["name": "TransferIntent"], "user": ["id": "cancelled"]]
                    try await conversation.send([conversation.makeEvent("intent.requested", data: data)])
                    _ = try await conversation.next(timeout: .seconds(60))
                    let user: JSONValue = ["user": ["id": "cancelled"]]
                    try await conversation.send([conversation.makeEvent("interaction.cancelled", data: user)])
                    while try await conversation.next(timeout: .seconds(60)).data["terminal"] != true {}
                }
                group.addTask { try await pipeline.expire("silent", user: "silent") }
                try await group.waitForAll()
            }
            let open = pipeline.client.open(id: "open", userID: "open")
            defer { open.close() }
            let data: JSONValue = ["intent": ["name": "TransferIntent"], "user": ["id": "open"]]
            try await open.send([open.makeEvent("intent.requested", data: data)])
            _ = try await open.next(timeout: .seconds(60))
        }
    }

    private static func shadow(
        _ pipeline: Pipeline,
        _ change: ChangedHandler.Change,
        timeout: Duration = .seconds(60),
        _ select: (inout ReplaySelection) -> Void = { _ in }
    ) async throws -> ShadowReport {
        var selection = ReplaySelection()
        select(&selection)
        return try await ShadowReplayer(
            log: pipeline.log,
            environment: try pipeline.environment(Self.registrations(change)),
            selection: selection,
            parallelism: 2,
            timeout: timeout
        )
        .run()
    }

    @Test("R44: exactly the interactions that a change affects are listed, with how they ended and would end")
    func listsWhatWouldChange() async throws {
        let pipeline = try await Self.run()
        let same = try await Self.shadow(pipeline, .nothing)
        #expect(same.interactions >= 9)
        #expect(same.isSame)
        #expect(same.differing == 0, "\(same.groups)")

        let limited = try await Self.shadow(pipeline, .limitInHandle(400))
        let change = try #require(limited.changes.first)
        #expect(limited.changes.count == 1)
        #expect(change.intent == "TransferIntent")
        #expect(change.then == "success nominal with book")
        #expect(change.now == "failure failed with nothing")
        #expect(change.interactions == ["bob-500", "eve-450"])
        let json: JSONValue = [
            "interactions": .integer(Int64(same.interactions)), "differing": 2, "leftOut": 0, "otherBehaviour": 0,
            "changes": [
                [
                    "intent": "TransferIntent", "then": "success nominal with book",
                    "now": "failure failed with nothing", "interactions": ["bob-500", "eve-450"],
                ]
            ],
            "differences": limited.json["differences"] ?? .null, "unknown": [],
        ]
        #expect(limited.json == json)
        #expect(limited.differing == 2)
        let places = limited.groups.map { "\($0.kind) \($0.path) \($0.count)" }
        #expect(places.contains("end  2") && places.contains("effects  2"), "\(places)")
        let asks = try await Self.shadow(pipeline, .asksForMore)
        #expect(asks.differing == 0)
        let unknown: JSONValue = [
            "reason": "asks confirmationRequired:amount, which has no recorded answer",
            "interactions": ["bob-500", "eve-450"],
        ]
        #expect(asks.json["unknown"] == [unknown])

        let reads = try await Self.shadow(pipeline, .reads)
        #expect(reads.differing == 0)
        #expect(reads.unknowns.map(\.interactions) == [["eve-30", "eve-450"]])
        #expect(reads.unknowns.first?.reason == "asks for run blacklist, which has no recorded answer")
        #expect(reads.summary == "\(reads.interactions) interactions played, 0 would differ, 2 unknown")

        let does = try await Self.shadow(pipeline, .does)
        #expect(does.changes.map(\.interactions) == [["eve-30", "eve-450"]])
        #expect(does.changes.first?.now == "success nominal with book, receipt")

        let renames = try await Self.shadow(pipeline, .renames)
        #expect(renames.changes.map(\.interactions) == [["eve-30", "eve-450"]])
        #expect(renames.changes.first?.now == "success nominal with different recipient")
        #expect(try await Self.shadow(pipeline, .renames) { $0.interaction = "bob-20" }.interactions == 1)
    }

    @Test("R44: a handler that never answered and still does not has changed nothing")
    func ignoresHandlersThatNeverAnswer() async throws {
        var settings = RuntimeSettings()
        settings.handlerTimeout = .seconds(1)
        let pipeline = try await Pipeline.run(Self.registrations(), settings: settings) { pipeline in
            try await pipeline.transfer("never-5", user: "never", recipient: "never", amount: 5)
        }
        let report = try await Self.shadow(pipeline, .nothing, timeout: .seconds(3))
        #expect(report.interactions == 1)
        #expect(report.isSame)
    }

    /// Resolves the recipient by the shared vocabulary.
    private struct NicknameHandler: IntentHandler {
        var handling: Handling<TransferIntent> {
            Resolve(by: self.resolveRecipient, \.$recipient)
            Handle(self.handle)
        }

        func resolveRecipient(
            for intent: TransferIntent,
            with context: TurnContext
        ) async throws -> INStringResolutionResult {
            let name = intent.recipient ?? ""
            let matches = context.vocabularyMatches(
                for: name,
                type: .contactName,
                parameter: "TransferIntent.recipient"
            )
            return matches.first.map { .success(with: $0.identifier ?? $0.phrase) } ?? .unsupported()
        }

        func handle(intent: TransferIntent, context: TurnContext) async throws -> IntentResponse<TransferIntent> {
            IntentResponse(code: .success)
        }
    }

    private static func vocabularies(_ names: [String: String]) -> GlobalVocabularies {
        let terms = names.sorted { $0.key < $1.key }
            .map { VocabularyTerm(identifier: $0.value, phrases: [.init($0.key)]) }
        return GlobalVocabularies([
            GlobalVocabulary(locale: "en", digest: "\(names.count)", terms: ["TransferIntent.recipient": terms])
        ])
    }

    @Test("R44: with another vocabulary, exactly the interactions whose words it reads differently are listed")
    func playsWithTodaysVocabularies() async throws {
        let registrations = [IntentRegistration(confirmation: .never, usesLedger: false) { NicknameHandler() }]
        let then = Self.vocabularies(["mum": "anna", "dad": "otto"])
        let pipeline = try await Pipeline.run(registrations, vocabularies: then) { pipeline in
            for name in ["mum", "dad"] {
                try await pipeline.transfer("to \(name)", user: UserID(name), recipient: name)
            }
        }
        func play(_ now: GlobalVocabularies) async throws -> ShadowReport {
            let environment = try pipeline.environment(registrations, now)
            return try await ShadowReplayer(log: pipeline.log, environment: environment, parallelism: 2).run()
        }
        #expect(try await play(then).isSame)
        let now = try await play(Self.vocabularies(["mum": "anna", "dad": "emil"])).changes
        #expect(now.map(\.interactions) == [["to dad"]])
        #expect(now.first?.now == "success nominal with different recipient")
        let without = try await play(Self.vocabularies(["mum": "anna"])).unknowns
        #expect(without.map(\.interactions) == [["to dad"]])
        #expect(without.first?.reason == "asks unsupported:recipient, which has no recorded answer")
    }

    /// Has the recipient chosen from a list; another one than those is taken, too.
    private struct ChoosingHandler: IntentHandler {
        let names: [String]

        var handling: Handling<TransferIntent> {
            Resolve(by: self.resolveRecipient, \.$recipient)
            Handle(self.handle)
        }

        func resolveRecipient(
            for intent: TransferIntent,
            with context: TurnContext
        ) async throws -> INStringResolutionResult {
            if let name = intent.recipient { .success(with: name) } else { .disambiguation(with: self.names) }
        }

        func handle(intent: TransferIntent, context: TurnContext) async throws -> IntentResponse<TransferIntent> {
            IntentResponse(code: .success)
        }
    }

    @Test(
        "R44: a choice from a list is repeated where today's list has it, else its value is given",
        arguments: [
            (["ann", "bob", "eve"], []), (["bob", "ann", "eve"], []), (["eve", "ann", "dan", "bob"], []),
            (["ann", "eve"], []), (["eve", "dan", "ann"], []),
            (["ann"], ["asks confirmationRequired:recipient, which has no recorded answer"]),
        ]
    )
    func translatesChoices(names: [String], problems: [String]) async throws {
        func registrations(_ names: [String]) -> [IntentRegistration] {
            [IntentRegistration(confirmation: .never, usesLedger: false) { ChoosingHandler(names: names) }]
        }
        let pipeline = try await Pipeline.run(registrations(["ann", "bob", "eve"])) { pipeline in
            let conversation = pipeline.client.open(id: "chosen", userID: "ada")
            defer { conversation.close() }
            let user: JSONValue = ["id": "ada"]
            let request: JSONValue = ["intent": ["name": "TransferIntent"], "user": user]
            try await conversation.send([conversation.makeEvent("intent.requested", data: request)])
            while true {
                let event = try await conversation.next(timeout: .seconds(60))
                if event.data["terminal"] == true { break }
                guard event.knownType == .promptIssued else { continue }
                let answer: JSONValue = ["promptId": event.data["promptId"] ?? .null, "user": user, "choice": 1]
                try await conversation.send([conversation.makeEvent("prompt.answered", data: answer)])
            }
        }
        let environment = try pipeline.environment(registrations(names))
        let report = try await ShadowReplayer(log: pipeline.log, environment: environment, parallelism: 2).run()
        #expect(report.interactions == 1)
        #expect(report.changes.isEmpty, "\(report.changes)")
        #expect(report.unknowns.map(\.reason) == problems)
    }

    @Test("R44: an intent that is no longer supported is reported")
    func reportsUnsupportedIntents() async throws {
        let pipeline = try await Self.run()
        let report = try await ShadowReplayer(
            log: pipeline.log,
            environment: try pipeline.environment([]),
            parallelism: 2
        )
        .run()
        #expect(report.differing == report.interactions && report.differing >= 9)
        #expect(report.changes.allSatisfy { $0.now.hasPrefix("unsupportedIntent") })
    }
}
