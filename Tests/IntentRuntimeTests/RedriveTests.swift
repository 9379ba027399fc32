import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@Suite("Dead letters, and redriving their requests")
struct RedriveTests {
    /// Calls two effects; fails between them as long as the test wants, and keeps its context for a zombie.
    private struct BreakingHandler: IntentHandler {
        struct Breakdown: Error, CustomStringConvertible {
            var description: String { "The till has broken down." }
        }

        final class Till: Sendable {
            let isBroken = Mutex(true)
            private let contexts = Mutex<[TurnContext]>([])

            var all: [TurnContext] { self.contexts.withLock { $0 } }

            func keep(_ context: TurnContext) { self.contexts.withLock { $0.append(context) } }
        }

        let till: Till

        var handling: Handling<GreetIntent> {
            Resolve(by: self.resolve, \.$name)
            Handle(self.handle)
        }

        func resolve(_ intent: GreetIntent, with context: TurnContext) async throws -> INStringResolutionResult {
            if intent.name == "unspeakable" { throw Breakdown() }
            return try await self.resolveName(for: intent, with: context)
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            self.till.keep(context)
            let name = intent.name ?? ""
            _ = try await context.effect("charge") { _ in "charged \(name)" }
            if name.hasPrefix("poison"), self.till.isBroken.withLock({ $0 }) { throw Breakdown() }
            _ = try await context.effect("receipt") { _ in "receipt for \(name)" }
            return self.greeting(intent)
        }
    }

    private let ledger = InMemoryLedger()
    private let till = BreakingHandler.Till()

    private func run(_ body: (Pipeline) async throws -> Void) async throws {
        let registration = IntentRegistration { BreakingHandler(till: till) }
        try await Pipeline.with([registration], ledger: self.ledger, body)
    }

    private func letters(_ pipeline: Pipeline) async throws -> [DeadLetter] {
        try await pipeline.records(of: .deadLetters).map { DeadLetter($0, prefix: "intents") }
    }

    private func plan(_ pipeline: Pipeline, again: Bool = false) async throws -> Redrive {
        try await Redrive(
            try await self.letters(pipeline),
            of: pipeline.deployment,
            on: pipeline.log,
            key: try await pipeline.deployment.makeRedriveKey(on: pipeline.log),
            again: again,
            now: Timestamp(milliseconds: 0)
        )
    }

    private func ids(_ redrive: Redrive) -> [String] {
        redrive.steps.map { _, step in
            switch step {
            case .send(_, let id): "send \(id)"
            case .alreadySent(let id): "sent \(id)"
            case .post: "post"
            case .impossible(let reason): reason
            }
        }
    }

    @Test("R35, R48: a poison event costs its own interaction and nothing else")
    func poisonEventCostsItsInteractionOnly() async throws {
        try await self.run { pipeline in
            for number in 0..<30 {
                let name = number % 3 == 1 ? "poison \(number)" : "Jeff \(number)"
                // A user's next request is behind the poison one.
                try await pipeline.request(
                    "GreetIntent",
                    ["name": .string(name)],
                    user: "u\(number / 3)",
                    subject: "i\(number)"
                )
            }
            for number in 0..<30 {
                let end = try await pipeline.end(of: "i\(number)")
                #expect(end.data["endReason"] == (number % 3 == 1 ? "error" : "nominal"))
            }
            let letters = try await self.letters(pipeline)
            #expect(Set(letters.map(\.interactionID)) == Set((0..<10).map { InteractionID("i\($0 * 3 + 1)") }))
            for letter in letters {
                #expect(letter.headers.error == "handlerFailed")
                #expect(letter.headers.detail == "The till has broken down.")
                #expect(letter.headers.topic == "intents.confirmed")
                #expect(letter.intent?.name == "GreetIntent")
            }
            #expect(self.ledger.made.values.allSatisfy { $0 == 1 })
            #expect(self.ledger.made.count == 30 + 20)
        }
    }

    @Test("R48: a redriven request finds the effects already made, makes the missing ones, and names its original")
    func redriveSharesEffects() async throws {
        try await self.run { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            try await pipeline.answer(try await pipeline.next(of: "i1"), ["value": "poison"])
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "error")
            let request = try #require(try await self.letters(pipeline).first?.headers.request)
            self.till.isBroken.withLock { $0 = false }
            let redrive = try await self.plan(pipeline)
            #expect(self.ids(redrive) == ["send i1~1"])
            try await pipeline.write(redrive.records)
            // The value that the user gave is known: the user is not asked again.
            let end = try await pipeline.next(of: "i1~1")
            #expect(end.data["endReason"] == "nominal")
            #expect(end.data["effects"] == ["charge", "receipt"])
            #expect(end.data["intent"]?["parameters"] == ["name": "poison"])
            #expect(end.passedThrough[EventHeaderName.redriveOf] == request.text)
            let contexts = self.till.all
            #expect(contexts.map(\.interactionID) == ["i1", "i1~1"])
            #expect(contexts.map(\.originalInteractionID) == ["i1", "i1"])
            #expect(self.ledger.made.values.allSatisfy { $0 == 1 })
            #expect(Set(self.ledger.made.keys.map(\.name)) == ["charge", "receipt"])
            #expect(Set(self.ledger.made.keys.map(\.origin)) == [request.text])
        }
    }

    @Test("R30, R48: a zombie of the dead interaction does nothing more, before and after it is redriven")
    func zombieOfDeadInteractionDoesNothing() async throws {
        try await self.run { pipeline in
            try await pipeline.request("GreetIntent", ["name": "poison"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            let zombie = try #require(self.till.all.first)
            await #expect(throws: LedgerClosedError.self) { try await zombie.effect("receipt") { _ in "late" } }
            #expect(self.ledger.made.count == 1)
            self.till.isBroken.withLock { $0 = false }
            try await pipeline.write(try await self.plan(pipeline).records)
            #expect(try await pipeline.end(of: "i1~1").data["endReason"] == "nominal")
            await #expect(throws: LedgerClosedError.self) { try await zombie.effect("gift") { _ in "late" } }
            // A dead letter of the redriven interaction itself, after its end.
            let second = try #require(self.till.all.last)
            await #expect(throws: LedgerClosedError.self) { try await second.effect("gift") { _ in "late" } }
            #expect(self.ledger.made.count == 2)
        }
    }

    @Test(
        "R48: redriving twice, or again after an interruption, makes only one interaction of a dead letter unless asked to"
    )
    func repeatedRedriveMakesOneInteraction() async throws {
        try await self.run { pipeline in
            for number in 1...3 {
                try await pipeline.request("GreetIntent", ["name": "poison"], user: "u\(number)", subject: "i\(number)")
                _ = try await pipeline.end(of: "i\(number)")
            }
            let first = try await self.plan(pipeline)
            #expect(Set(self.ids(first)) == ["send i1~1", "send i2~1", "send i3~1"])
            // Interrupted after one. It must not fail again, which would make it a dead letter of its own.
            self.till.isBroken.withLock { $0 = false }
            try await pipeline.write([first.records[0]])
            let second = try await self.plan(pipeline)
            #expect(self.ids(second)[0] == self.ids(first)[0].replacing("send", with: "sent"))
            #expect(second.records.count == 2)
            // Both at once: what was sent twice is one client's retry (R8).
            try await pipeline.write(second.records + first.records)
            for number in 1...3 { _ = try await pipeline.end(of: "i\(number)~1") }
            let terminal = try await pipeline.records(of: .responses)
                .map { try StoredRecord($0, topic: .responses).decoded() }
                .filter { $0.data["terminal"] == true }
            #expect(terminal.count == 6)
            #expect(self.ledger.made.values.allSatisfy { $0 == 1 })
        }
    }

    @Test(
        "R48: an interaction that fails again is redriven under the next number, and so is one that is redriven on purpose"
    )
    func redriveNumbersCountUp() async throws {
        try await self.run { pipeline in
            try await pipeline.request("GreetIntent", ["name": "poison"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            try await pipeline.write(try await self.plan(pipeline).records)
            #expect(try await pipeline.end(of: "i1~1").data["endReason"] == "error")
            let next = try await self.plan(pipeline)
            #expect(self.ids(next) == ["sent i1~1", "send i1~2"])
            #expect(self.ids(try await self.plan(pipeline, again: true)) == ["send i1~2", "send i1~3"])
            self.till.isBroken.withLock { $0 = false }
            try await pipeline.write(next.records)
            #expect(try await pipeline.end(of: "i1~2").data["endReason"] == "nominal")
            #expect(self.ids(try await self.plan(pipeline)) == ["sent i1~1", "sent i1~2"])
            #expect(self.ledger.made.values.allSatisfy { $0 == 1 })
            #expect(self.ledger.made.count == 2)
        }
    }

    @Test("R48: a dead letter of an answer redrives its interaction's request with the values that were known")
    func failedAnswerRedrivesItsRequest() async throws {
        try await self.run { pipeline in
            try await pipeline.request("GreetIntent", ["nick": "Jeffy"], subject: "i1", extra: ["locale": "de-DE"])
            try await pipeline.answer(try await pipeline.next(of: "i1"), ["value": "unspeakable"])
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "error")
            let letter = try #require(try await self.letters(pipeline).first)
            #expect(letter.type == "prompt.answered")
            #expect(letter.interactionID == "i1")
            let redrive = try await self.plan(pipeline)
            let record = try #require(redrive.records.first)
            let event = try Event(
                RecordContent(key: nil, value: record.value, headers: record.headers),
                position: RecordPosition(.requests, 0, 0),
                timestamp: Timestamp(milliseconds: 0)
            )
            #expect(event.subject == "i1~1")
            #expect(event.causationID == letter.position.description)
            #expect(event.data["locale"] == "de-DE")
            #expect(event.data["intent"]?["parameters"]?.object?.keys.contains("nick") == false)
        }
    }

    @Test("R47, R48: unreadable letters and those of no interaction are not redriven, with the reason")
    func reportsLettersThatCannotBeRedriven() async throws {
        try await self.run { pipeline in
            let headers = [
                LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", "u1"),
                // A client's own headers are not trusted.
                LogHeader("intentd_request", "0:0"),
            ]
            let home = HomePartition.of(user: "u1", count: pipeline.deployment.partitions)
            try await pipeline.write(partition: home, value: [0x7B, 0xFF], headers: headers)
            _ = try await pipeline.next { $0.data["endReason"] == "invalidRequest" }
            let letter = try #require(try await self.letters(pipeline).first)
            #expect(letter.headers.request != "0:0" || home == 0)
            #expect(letter.record.value == [0x7B, 0xFF])
            let reason = try #require(self.ids(try await self.plan(pipeline)).first)
            #expect(reason.hasPrefix("it cannot be read"))
        }
    }

    @Test("R14, R48: a client cannot claim another's effects")
    func clientCannotClaimAnothersEffects() async throws {
        try await self.run { pipeline in
            try await pipeline.request("GreetIntent", ["name": "poison"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            let request = try #require(try await self.letters(pipeline).first?.headers.request)
            try await pipeline.send(
                .intentRequested,
                user: "u1",
                subject: "i1~1",
                headers: [LogHeader(EventHeaderName.redriveOf, request.text)],
                data: ["intent": ["name": "GreetIntent", "parameters": ["name": "Jeff"]], "user": ["id": "u1"]]
            )
            let end = try await pipeline.end(of: "i1~1")
            #expect(end.data["endReason"] == "invalidRequest")
            #expect(end.passedThrough[EventHeaderName.redriveOf] == nil)
            // Under its own id: the client has used that one.
            #expect(self.ids(try await self.plan(pipeline)) == ["send i1~2"])
            #expect(self.ledger.made.count == 1)
        }
    }

    @Test("R48: what an anchor shows is no proof, and the key that is one appears in no turn, response or dead letter")
    func anchorsRevealNothingToForgeRedrive() async throws {
        try await self.run { pipeline in
            try await pipeline.request("GreetIntent", ["name": "poison"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            let letter = try #require(try await self.letters(pipeline).first)
            let origin = try #require(letter.headers.request)
            // The proof in the form from the time when it used the deployment's id, which anchors print.
            let proof = "\(pipeline.deployment.id)|redrive|\(origin)|2|u1|i1~1"
            let forged = Event(
                id: String(RecordDigest.of(Array(proof.utf8)).prefix(32)),
                source: "/intentd/dead-letters",
                type: .intentRequested,
                time: Timestamp(milliseconds: 0),
                subject: "i1~1",
                userID: "u1",
                causationID: letter.position.description,
                data: ["intent": ["name": "GreetIntent", "parameters": ["name": "Jeff"]], "user": ["id": "u1"]]
            )
            try await pipeline.write(
                partition: HomePartition.of(user: "u1", count: pipeline.deployment.partitions),
                value: forged.data.utf8,
                headers: forged.headers.map { LogHeader($0.name, bytes: $0.value) }
                    + [LogHeader(EventHeaderName.redriveOf, origin.text)]
            )
            let end = try await pipeline.end(of: "i1~1")
            #expect(end.data["endReason"] == "invalidRequest")
            #expect(self.ledger.made.count == 1)
            // Nor does it prevent the letter from being sent again.
            #expect(self.ids(try await self.plan(pipeline)) == ["send i1~2"])
            let secret = try #require(
                try await pipeline.records(of: .state)
                    .first { String(decoding: $0.key ?? [], as: UTF8.self).hasPrefix("//redrive/") }?
                    .value.flatMap { try JSONValue(parsing: $0)["value"]?.string }
            )
            #expect(secret.utf8.count == 64)
            for topic in Topic.allCases {
                for record in try await pipeline.records(of: topic) {
                    let text = String(decoding: (record.value ?? []) + (record.key ?? []), as: UTF8.self)
                    guard text.contains(secret) else { continue }
                    #expect(topic == .state && text.contains("//redrive/"), "\(topic)")
                }
            }
        }
    }

    @Test("R42, R48: whether a request was a redrive is journaled: a replay needs no key")
    func replayNeedsNoRedriveKey() async throws {
        try await self.run { pipeline in
            try await pipeline.request("GreetIntent", ["name": "poison"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            self.till.isBroken.withLock { $0 = false }
            try await pipeline.write(try await self.plan(pipeline).records)
            #expect(try await pipeline.end(of: "i1~1").data["endReason"] == "nominal")
            try await pipeline.send(
                .intentRequested,
                subject: "i1~2",
                headers: [LogHeader(EventHeaderName.redriveOf, "0:0")],
                data: ["intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
            )
            #expect(try await pipeline.end(of: "i1~2").data["endReason"] == "invalidRequest")
            let turns = try await pipeline.records(of: .journal).compactMap(TurnRecord.init)
            #expect(turns.compactMap(\.isRedriven) == [true, false])
            let registration = IntentRegistration { BreakingHandler(till: self.till) }
            let results = try await pipeline.replayAll([registration])
            #expect(results.count == turns.count)
            // The handler itself depends on the till, which was fixed in between.
            for (turn, result) in zip(turns, results) where turn.stage != .handle {
                #expect(result.isMatch, "\(turn.position)")
            }
        }
    }

    @Test("R24, R30: an interaction that has used up its turns before it is handled makes no more effects")
    func interactionOutOfTurnsClosesBeforeHandle() async throws {
        var settings = RuntimeSettings()
        settings.maxTurns = 2
        let registration = IntentRegistration { BreakingHandler(till: till) }
        try await Pipeline.with([registration], settings: settings, ledger: self.ledger) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["phase"] == "handle")
            #expect(end.data["endReason"] == "tooManyAttempts")
            #expect(self.ledger.closed.count == 1)
            #expect(self.ledger.made.isEmpty)
        }
    }
}
