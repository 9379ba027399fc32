import IntentEvents
import IntentKit
import IntentLab
import Logging
import Testing

@testable import IntentRuntime

@Suite("Oversize events become dead letters, and affect nobody else (R47)")
struct OversizeTests {
    /// A client's record that is too large.
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var key: [UInt8]?
        var value: [UInt8]
        var headers: [LogHeader] = []
        var isTold = true
        /// The key or a second `ce_userid` names another user (R1).
        var namesAnother = false
    }

    private static let million = 1_000_000

    private static let greeting = Array(
        #"{"intent":{"name":"GreetIntent","parameters":{"name":"Ann"}},"user":{"id":"u1"}}"#.utf8
    )

    private static func value(of bytes: Int) -> [UInt8] {
        Array(#"{"intent":{"name":"GreetIntent"},"x":""#.utf8) + Array(repeating: UInt8(ascii: "x"), count: bytes)
            + Array(#""}"#.utf8)
    }

    private static var cases: [Case] {
        [1_100_000, 4_190_000, 5_000_000, 9_000_000, 64 << 20]
            .map { Case(testDescription: "a value of \($0) bytes", value: Self.value(of: $0)) }
            + [900_000, 5_000_000]
            .map {
                let header = LogHeader("x-large", bytes: Array(repeating: 0xFF, count: $0))
                return Case(testDescription: "a header of \($0) bytes", value: Self.greeting, headers: [header])
            }
            + [
                Case(
                    testDescription: "200,000 headers",
                    value: Self.greeting,
                    headers: (0..<200_000).map { LogHeader("h\($0)", "") }
                ),
                Case(
                    testDescription: "a header's name of 2 MB",
                    value: Self.greeting,
                    headers: [LogHeader(String(repeating: "n", count: 2 * Self.million), bytes: nil)]
                ),
                Case(
                    testDescription: "a key of 5 MB",
                    key: Array(repeating: 0, count: 5 * Self.million),
                    value: Self.greeting,
                    isTold: false,
                    namesAnother: true
                ),
                Case(
                    testDescription: "a type of 2 MB",
                    value: Self.greeting,
                    headers: [LogHeader("ce_type", String(repeating: "t", count: 2 * Self.million))],
                    isTold: false
                ),
                Case(
                    testDescription: "a user of 2 MB",
                    value: Self.greeting,
                    headers: [LogHeader("ce_userid", String(repeating: "u", count: 2 * Self.million))],
                    isTold: false,
                    namesAnother: true
                ),
            ]
    }

    private static let limits = [Topic.requests: 128 << 20]

    @Test(
        "It goes to dead letters with what fits, at home or elsewhere, and its sender is told",
        arguments: Self.cases
    )
    func oversizeEventIsBuriedCut(_ large: Case) async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }], limits: Self.limits) { pipeline in
            let count = pipeline.deployment.partitions
            let home = HomePartition.of(user: "u1", count: count)
            for (subject, partition) in [("home", home), ("elsewhere", (home + 1) % count)] {
                try await pipeline.write(
                    partition: partition,
                    key: large.key,
                    value: large.value,
                    headers: [
                        LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", "u1"),
                        LogHeader("ce_subject", subject),
                    ] + large.headers
                )
                if large.isTold {
                    #expect(try await pipeline.end(of: InteractionID(subject)).data["endReason"] == "invalidRequest")
                }
            }
            try await self.expectOthersToEnd(pipeline)
            try await pipeline.settle()
            let letters = try await pipeline.records(of: .deadLetters)
            #expect(letters.count == 2)
            for record in letters {
                let letter = DeadLetter(record, prefix: "intents")
                #expect(letter.headers.error == (large.namesAnother ? "userMismatch" : "tooLarge"))
                self.expect(record, of: large, at: letter)
            }
            let told = try await pipeline.records(of: .responses)
                .filter { ["home", "elsewhere"].contains($0.header("ce_subject")) }
            #expect(told.count == (large.isTold ? 2 : 0))
            #expect(told.allSatisfy { $0.topicPartition.partition == home })
            for outcome in try await pipeline.replayAll([IntentRegistration { GreetHandler() }]) {
                #expect(outcome.isMatch)
            }
        }
    }

    /// Checks what a dead letter contains of the record, and what it says about the rest.
    private func expect(_ record: LogRecord, of large: Case, at letter: DeadLetter) {
        #expect(letter.headers.topic == "intents.requests" && letter.headers.offset != nil)
        if record.value == large.value {
            #expect(record.header("intentd_value-size") == nil)
        } else {
            #expect(record.value == Array(large.value.prefix(64 * 1024)))
            #expect(record.header("intentd_value-size") == String(large.value.count))
        }
        let names = Set(record.headers.map(\.name))
        if !names.isSuperset(of: large.headers.map(\.name)) {
            #expect(record.header("intentd_headers-size").flatMap { Int($0) } ?? 0 > 800_000)
        }
        if record.key != large.key { #expect(record.header("intentd_key-size") == String(large.key?.count ?? 0)) }
    }

    /// Requests of users in every partition are answered.
    private func expectOthersToEnd(_ pipeline: Pipeline) async throws {
        for number in 0..<8 {
            try await pipeline.request("GreetIntent", ["name": "Bob"], user: "o\(number)", subject: "good-\(number)")
        }
        for number in 0..<8 {
            #expect(try await pipeline.end(of: "good-\(number)").data["endReason"] == "nominal")
        }
    }

    @Test("What is no event is buried at once behind a full queue, and behind one with room", arguments: [0, 100])
    func oversizeEventIsBuriedBehindQueue(limit: Int) async throws {
        let gate = Gate()
        var settings = RuntimeSettings()
        settings.queueLimit = limit
        settings.inProgressAfter = .seconds(3600)
        let registration = IntentRegistration { WaitingResolver(gate: gate) }
        try await Pipeline.with([registration], settings: settings, limits: Self.limits) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "slow"], subject: "slow")
            while try await !pipeline.records(of: .state)
                .contains(where: { $0.key.flatMap(StateKey.init)?.name == "parked" && $0.value != nil })
            { await Task.yield() }
            let home = HomePartition.of(user: "u1", count: pipeline.deployment.partitions)
            let headers = [LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", "u1")]
            for number in 0..<limit {
                try await pipeline.request("GreetIntent", ["name": "Ann"], subject: "waits-\(number)")
            }
            for (subject, value) in [("broken", Array("{".utf8)), ("large", Self.value(of: 5_000_000))] {
                let named = headers + [LogHeader("ce_subject", subject)]
                try await pipeline.write(partition: home, value: value, headers: named)
                #expect(try await pipeline.end(of: InteractionID(subject)).data["endReason"] == "invalidRequest")
            }
            try await pipeline.request("GreetIntent", ["name": "Ann"], subject: "refused")
            let refusal = try await pipeline.next { $0.type == "event.rejected" }
            #expect(refusal.data["reason"] == "busy" && refusal.subject == "refused")
            gate.open()
            #expect(try await pipeline.end(of: "slow").data["endReason"] == "nominal")
            for number in 0..<limit {
                #expect(try await pipeline.end(of: "waits-\(number)").data["endReason"] == "nominal")
            }
            try await self.expectOthersToEnd(pipeline)
            let letters = try await pipeline.records(of: .deadLetters)
            #expect(letters.map { $0.header("intentd_error") } == ["malformed", "tooLarge"])
        }
    }

    /// Blocks while a gate is shut when it resolves `slow`.
    private struct WaitingResolver: IntentHandler {
        let gate: Gate

        var handling: Handling<GreetIntent> {
            Resolve(by: self.resolve, \.$name)
            Handle(self.handle)
        }

        func resolve(_ intent: GreetIntent, with context: TurnContext) async throws -> INStringResolutionResult {
            if intent.name == "slow" { await self.gate.wait() }
            return try await self.resolveName(for: intent, with: context)
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            self.greeting(intent)
        }
    }

    /// An intent that can grow: answers add more and more to it.
    private struct GrowingIntent: Intent {
        enum Code: String, IntentResponseCode {
            case ready
            case success
            case failure
        }

        @Parameter var name: String?
        @Parameter var first: [String]?
        @Parameter var second: [String]?
        @Parameter var third: [String]?
        @Parameter var fourth: [String]?
        @Parameter var fifth: [String]?
        @Parameter var sixth: [String]?
    }

    private struct GrowingHandler: IntentHandler {
        var handling: Handling<GrowingIntent> {
            Resolve(by: self.resolve, \.$name)
            Handle(self.handle)
        }

        func resolve(_ intent: GrowingIntent, with context: TurnContext) async throws -> INStringResolutionResult {
            intent.name.map { .success(with: $0) } ?? .needsValue()
        }

        func handle(intent: GrowingIntent, context: TurnContext) async throws -> IntentResponse<GrowingIntent> {
            IntentResponse(code: .success)
        }
    }

    @Test("An interaction that grows beyond the topics' limit ends with an error, without its values")
    func growingInteractionEndsWithError() async throws {
        var settings = RuntimeSettings()
        settings.promptMaxAttempts = 100
        try await Pipeline.with([IntentRegistration { GrowingHandler() }], settings: settings) { pipeline in
            try await pipeline.request("GrowingIntent", subject: "grows")
            let text = String(repeating: #"""#, count: 32_000)
            for name in ["first", "second", "third", "fourth", "fifth", "sixth"] {
                let event = try await pipeline.next(of: "grows")
                guard event.type == "prompt.issued" else {
                    #expect(event.data["endReason"] == "error")
                    #expect(event.data["intent"]?["parameters"] == [:])
                    return
                }
                let values = JSONValue.array(Array(repeating: .string(text), count: 11))
                try await pipeline.answer(event, ["corrections": .object([name: values])])
            }
            #expect(try await pipeline.end(of: "grows").data["endReason"] == "error")
        }
    }

    private static func canWait(_ byte: UInt8, _ count: Int) -> Bool {
        Array(repeating: byte, count: count).withUnsafeBufferPointer { RecordLimits.allowsWaiting($0) }
    }

    @Test("What can wait in state is what its topic takes as a string")
    func waiting() {
        #expect(Self.canWait(UInt8(ascii: "x"), 3_900_000))
        #expect(!Self.canWait(UInt8(ascii: "x"), 4_000_000))
        #expect(!Self.canWait(UInt8(ascii: #"""#), 2_000_000))
    }

    @Test(
        "A topic whose limit was lowered costs the one event, and its interaction is told",
        arguments: [Topic.responses, .state, .resolved, .deadLetters]
    )
    func loweredTopicLimitCostsOneEvent(topic: Topic) async throws {
        let limits = [topic: 16 * 1024]
        try await Pipeline.with(
            [IntentRegistration { GreetHandler() }],
            limits: limits,
            logger: .tests(.critical)
        ) { pipeline in
            // Sent to everybody; as a value that must be asked for again, it stays in state.
            let large = String(repeating: "x", count: topic == .deadLetters ? 70_000 : 20_000)
            let value: JSONValue = topic == .state ? [.string(large)] : .string(large)
            if topic == .deadLetters {
                let home = HomePartition.of(user: "u1", count: pipeline.deployment.partitions)
                let headers = [
                    LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", "u1"),
                    LogHeader("ce_subject", "large"),
                ]
                try await pipeline.write(partition: home, value: Array("{\(large)".utf8), headers: headers)
            } else {
                try await pipeline.request("GreetIntent", ["name": value], subject: "large")
                #expect(try await pipeline.end(of: "large").data["endReason"] == "error")
            }
            try await self.expectOthersToEnd(pipeline)
            try await pipeline.settle()
            let letters = try await pipeline.records(of: .deadLetters).map { DeadLetter($0, prefix: "intents") }
            #expect(letters.map(\.headers.error) == [topic == .deadLetters ? "malformed" : "tooLarge"])
            #expect(letters.allSatisfy { $0.headers.isCut })
        }
    }

    @Test("R48: a cut dead letter is redriven from the original record, or reported if that is gone")
    func redrivesCutLetterFromOriginal() async throws {
        let limits = [Topic.responses: 16 * 1024]
        let registration = IntentRegistration { GreetHandler() }
        try await Pipeline.with([registration], limits: limits, logger: .tests(.critical)) { pipeline in
            let name = String(repeating: "x", count: 20_000)
            let filling: JSONValue = .array(Array(repeating: .string(String(repeating: "y", count: 60_000)), count: 4))
            try await pipeline.request("GreetIntent", ["name": .string(name), "no": filling], subject: "large")
            #expect(try await pipeline.end(of: "large").data["endReason"] == "error")
            let letters = try await pipeline.records(of: .deadLetters).map { DeadLetter($0, prefix: "intents") }
            #expect(letters.map(\.headers.isCut) == [true])
            let plan = try await Redrive(
                letters,
                of: pipeline.deployment,
                on: pipeline.log,
                key: try await pipeline.deployment.makeRedriveKey(on: pipeline.log),
                again: false,
                now: Timestamp(milliseconds: 0)
            )
            let sent = try #require(plan.records.first?.value)
            #expect(try JSONValue(parsing: sent)["intent"]?["parameters"]?["name"]?.string == name)
        }
    }
}
