import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@Suite("R30: idempotency keys identify repeated calls, and only those")
struct IdempotencyKeyTests {
    /// Calls a service that keeps the keys, and fails as long as the service is broken.
    private struct CallingHandler: IntentHandler {
        struct Breakdown: Error {}

        final class Service: Sendable {
            struct Call: Sendable {
                var user: UserID
                var interaction: InteractionID
                var key: String
            }

            let isBroken = Mutex(false)
            private let received = Mutex<[Call]>([])

            var calls: [Call] { self.received.withLock { $0 } }

            func call(_ call: Call) throws {
                self.received.withLock { $0.append(call) }
                if self.isBroken.withLock({ $0 }) { throw Breakdown() }
            }
        }

        let service: Service

        var handling: Handling<GreetIntent> { Handle(self.handle) }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            let call = Service.Call(
                user: UserID(context.user.id),
                interaction: InteractionID(context.interactionID),
                key: context.idempotencyKey(for: "greet")
            )
            try await context.run("greet") { try self.service.call(call) }
            return self.greeting(intent)
        }
    }

    /// Ids that are different names, though they look alike, or like what intentd makes itself (R8, R12, R48).
    private static let ids: [InteractionID] = [
        "lunch-1", "lunch-1~1", "lunch-1~2", "caf\u{E9}", "cafe\u{301}", "\u{212A}", "K", "a/r/1", "a", "a/greet/0",
        "a%2Fr", "%", "\u{0}", "a\u{0}", "~", "~1", "1:2", " ", "|",
    ]

    private let service = CallingHandler.Service()

    private func run(
        _ settings: RuntimeSettings = RuntimeSettings(),
        _ body: (Pipeline) async throws -> Void
    ) async throws {
        try await Pipeline.with([IntentRegistration { CallingHandler(service: service) }], settings: settings, body)
    }

    private func redrive(_ pipeline: Pipeline) async throws -> [InteractionID] {
        let redrive = try await Redrive(
            try await pipeline.records(of: .deadLetters).map { DeadLetter($0, prefix: "intents") },
            of: pipeline.deployment,
            on: pipeline.log,
            key: try await pipeline.deployment.makeRedriveKey(on: pipeline.log),
            again: false,
            now: Timestamp(milliseconds: 0)
        )
        try await pipeline.write(redrive.records)
        return redrive.steps.compactMap { if case .send(_, let id) = $0.step { id } else { nil } }
    }

    private func end(of id: InteractionID, _ user: UserID, in pipeline: Pipeline) async throws -> Event {
        try await pipeline.next { $0.subject == id && $0.userID == user && $0.data["terminal"] == true }
    }

    @Test("Users with the same ids, and a user who reuses an id after the window, get keys of their own")
    func collidingIDsGetOwnKeys() async throws {
        var settings = RuntimeSettings()
        settings.dedupeWindow = .zero
        try await self.run(settings) { pipeline in
            for _ in 0..<2 {
                for id in Self.ids {
                    for user: UserID in ["anna", "bert", "anna~1"] {
                        try await pipeline.request("GreetIntent", ["name": "x"], user: user, subject: id)
                        #expect(try await self.end(of: id, user, in: pipeline).data["endReason"] == "nominal")
                    }
                }
            }
            let keys = self.service.calls.map(\.key)
            #expect(keys.count == 2 * 3 * Self.ids.count)
            #expect(Set(keys).count == keys.count)
            #expect(keys.allSatisfy { $0.wholeMatch(of: #/[0-9a-f]{32}/#) != nil })
        }
    }

    @Test("R48: redriven requests keep their originals' keys, and get unused ids where clients chose similar ones")
    func redrivesKeepOriginalKeys() async throws {
        var settings = RuntimeSettings()
        settings.dedupeWindow = .zero
        let users: [UserID] = ["anna", "bert"]
        try await self.run(settings) { pipeline in
            self.service.isBroken.withLock { $0 = true }
            // The second one of each user is a new interaction of the same id.
            for user in users + users {
                for id in Self.ids {
                    try await pipeline.request("GreetIntent", ["name": "x"], user: user, subject: id)
                    #expect(try await self.end(of: id, user, in: pipeline).data["endReason"] == "error")
                }
            }
            let keys = self.service.calls.map(\.key)
            self.service.isBroken.withLock { $0 = false }
            let sent = try await self.redrive(pipeline)
            #expect(sent.count == keys.count)
            for id in Set(sent) {
                for user in users {
                    #expect(try await self.end(of: id, user, in: pipeline).data["endReason"] == "nominal")
                }
            }
            let again = self.service.calls.dropFirst(keys.count)
            #expect(Set(again.map(\.key)) == Set(keys) && again.count == keys.count)
            // Were two of one user alike, the second would count as a client's retry and never run (R8).
            for user in users {
                let ids = again.filter { $0.user == user }.map(\.interaction)
                #expect(Set(ids).count == ids.count && Set(ids).isDisjoint(with: Self.ids))
            }
            #expect(try await self.redrive(pipeline).isEmpty)
        }
    }

    @Test("R8, R48: a client's id in the form of a redriven one stops no redrive")
    func clientIDLikeARedriveStopsNone() async throws {
        try await self.run { pipeline in
            self.service.isBroken.withLock { $0 = true }
            // In both modes, for other and for the same things, and before the one that fails.
            try await pipeline.request("GreetIntent", ["name": "y"], subject: "i1~1")
            _ = try await pipeline.end(of: "i1~1")
            try await pipeline.request("GreetIntent", ["name": "x"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            let structured: JSONValue = [
                "specversion": "1.0", "type": "intent.requested", "subject": "i1~2", "userid": "u1",
                "data": ["intent": ["name": "GreetIntent", "parameters": ["name": "x"]], "user": ["id": "u1"]],
            ]
            try await pipeline.write(
                partition: HomePartition.of(user: "u1", count: pipeline.deployment.partitions),
                value: structured.utf8,
                headers: [LogHeader("content-type", "application/cloudevents+json")]
            )
            _ = try await pipeline.end(of: "i1~2")
            try await pipeline.request("GreetIntent", ["name": "y"], subject: "i1~1000000000")
            _ = try await pipeline.end(of: "i1~1000000000")
            self.service.isBroken.withLock { $0 = false }
            let sent = try await self.redrive(pipeline)
            #expect(Set(sent) == ["i1~3", "i1~1~1", "i1~2~1", "i1~1000000000~1"])
            for id in sent { #expect(try await pipeline.end(of: id).data["endReason"] == "nominal") }
            #expect(Set(self.service.calls.map(\.key)).count == 4)
        }
    }

    @Test("An interaction that an earlier version began keeps its key, and so does one that is redriven from it")
    func keepsKeyOfEarlierVersion() async throws {
        try await self.run { pipeline in
            self.service.isBroken.withLock { $0 = true }
            try await pipeline.request("GreetIntent", ["name": "x"], subject: "i 1")
            _ = try await pipeline.end(of: "i 1")
            let confirmed = try #require(try await pipeline.records(of: .confirmed).first)
            #expect(self.service.calls.map { $0.key.utf8.count } == [32])
            // The same as an earlier version would have passed it on.
            var value = try JSONValue(parsing: try #require(confirmed.value))
            let passedOn = try #require(value["interaction"]?.object)
            #expect(passedOn["redrive"] == ["keys": 2])
            let interaction = passedOn.filter { $0.key != "redrive" }
            value = .object(try #require(value.object).merging(["interaction": .object(interaction)]) { $1 })
            try await pipeline.write([
                OutgoingRecord(
                    topicPartition: confirmed.topicPartition,
                    key: confirmed.key,
                    value: value.utf8,
                    headers: confirmed.headers
                )
            ])
            _ = try await pipeline.end(of: "i 1")
            #expect(self.service.calls.last?.key == "i%201/greet/0")
            self.service.isBroken.withLock { $0 = false }
            let sent = try await self.redrive(pipeline)
            #expect(sent == ["i 1~1", "i 1~2"])
            for id in sent { #expect(try await pipeline.end(of: id).data["endReason"] == "nominal") }
            let calls = self.service.calls
            #expect(Set(calls.suffix(2).map(\.key)) == Set(calls.prefix(2).map(\.key)))
            #expect(calls.last { $0.interaction == "i 1~2" }?.key == "i%201/greet/0")
        }
    }

    @Test("A replay makes the same keys: they belong to the interaction, not to the process")
    func replayMakesSameKeys() async throws {
        try await self.run { pipeline in
            try await pipeline.request("GreetIntent", ["name": "x"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            let key = try #require(self.service.calls.first?.key)
            let request = try #require(try await pipeline.records(of: .requests).first)
            let position = "\(request.topicPartition.partition):\(request.offset)"
            let text = "\(pipeline.deployment.id)|effect|\(position)|0|greet"
            #expect(key == String(RecordDigest.of(Array(text.utf8)).prefix(32)))
            let results = try await pipeline.replayAll([IntentRegistration { CallingHandler(service: self.service) }])
            #expect(results.allSatisfy { $0.isMatch })
            #expect(self.service.calls.count == 1)
        }
    }
}
