import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("Hostile events are answered, and affect nobody else (R9, R47)")
struct HostileEventTests {
    /// The answer to an event.
    enum Answer {
        /// A terminal response with this end reason.
        case end(String)
        /// `event.rejected` with this reason.
        case rejected(String)
        /// A prompt of this kind.
        case prompt(String)
        /// Dead letters with this error; with an answer if the user and the request are recognisable.
        case buried(String, isAnswered: Bool)
        /// None: it is news, or a type that clients may not write.
        case silence
    }

    struct Case {
        var name: String
        var type: String? = "intent.requested"
        var user: String? = "u1"
        var headers: [LogHeader] = []
        var value: [UInt8]?
        var answer: Answer

        init(_ name: String, _ answer: Answer, _ change: (inout Case) -> Void = { _ in }) {
            self.name = name
            self.answer = answer
            change(&self)
        }

        /// A request with this text as its parameters.
        static func parameters(_ name: String, _ text: String, _ answer: Answer = .end("nominal")) -> Case {
            Case(name, answer) {
                $0.json(#"{"intent":{"name":"GreetIntent","parameters":\#(text)},"user":{"id":"u1"}}"#)
            }
        }

        /// An event of this type with these members.
        static func event(_ type: String, _ members: String, _ answer: Answer) -> Case {
            Case("\(type) {\(members.prefix(60))}", answer) {
                $0.type = type
                $0.json(members.isEmpty ? "{}" : "{\(members)}")
            }
        }

        mutating func json(_ text: String) { self.value = Array(text.utf8) }
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static let greeting = #"{"intent":{"name":"GreetIntent","parameters":{"name":"Ann"}},"user":{"id":"u1"}}"#
    private static let malformed = Answer.buried("malformed", isAnswered: true)

    private static let undecodable: [Case] = [
        Case("no value", malformed),
        Case("an empty value", malformed) { $0.value = [] },
        Case("no UTF-8", malformed) { $0.value = [0x7B, 0x22, 0xFF, 0x22, 0x7D] },
        Case("overlong UTF-8", malformed) { $0.value = [0x22, 0xC0, 0xAF, 0x22] },
        Case("a byte order mark", malformed) { $0.json("\u{FEFF}{}") },
        Case("NUL bytes", malformed) { $0.value = [0, 0, 0, 0] },
        Case("half a surrogate pair", malformed) { $0.json(#"{"a":"\ud800"}"#) },
        Case("cut off", malformed) { $0.json(String(Self.greeting.dropLast(3))) },
        Case("text behind", malformed) { $0.json(Self.greeting + "x") },
        Case("65 deep", malformed) { $0.json(Self.nested(65)) },
        Case("100,000 deep", malformed) { $0.json(Self.nested(100_000)) },
        Case("a number beyond floats", malformed) { $0.json(#"{"a":1e400}"#) },
        Case("not a number", malformed) { $0.json(#"{"a":NaN}"#) },
        Case("more than 768 KiB", .buried("tooLarge", isAnswered: true)) {
            $0.json(#"{"a":""# + String(repeating: "x", count: 900_000) + #""}"#)
        },
        Case("structured mode with a list", malformed) {
            $0.headers = [LogHeader("Content-Type", "application/cloudevents+json; charset=UTF-8")]
            $0.json("[1]")
        },
        Case("no type", .buried("missingType", isAnswered: false)) {
            $0.type = nil
            $0.json(Self.greeting)
        },
        Case("an empty type", .buried("missingType", isAnswered: false)) {
            $0.type = ""
            $0.json(Self.greeting)
        },
        Case("no user", .buried("missingUser", isAnswered: false)) {
            $0.user = nil
            $0.json(#"{"intent":{"name":"GreetIntent"}}"#)
        },
        Case("a user who is a number", .buried("missingUser", isAnswered: false)) {
            $0.user = nil
            $0.json(#"{"intent":{"name":"GreetIntent"},"user":{"id":5}}"#)
        },
        Case("a user of 1,025 bytes", .buried("tooLarge", isAnswered: false)) {
            $0.user = String(repeating: "u", count: 1_025)
            $0.json(#"{"intent":{"name":"GreetIntent"}}"#)
        },
        Case("an id of 1,025 bytes", .buried("tooLarge", isAnswered: false)) {
            $0.headers = [LogHeader("ce_id", String(repeating: "i", count: 1_025))]
            $0.json(Self.greeting)
        },
        Case("no intent", .buried("missingIntentName", isAnswered: true)) { $0.json(#"{"user":{"id":"u1"}}"#) },
        Case("an intent that is a list", .buried("missingIntentName", isAnswered: true)) { $0.json(#"{"intent":[]}"#) },
        Case("an intent without a name", .buried("missingIntentName", isAnswered: true)) {
            $0.json(#"{"intent":{"name":""}}"#)
        },
        Case("a scalar", .buried("missingIntentName", isAnswered: true)) { $0.json("5") },
    ]

    private static let requests: [Case] = [
        Case("an unknown intent", .end("unsupportedIntent")) { $0.json(#"{"intent":{"name":"../../etc/passwd"}}"#) },
        Case("duplicate keys", .end("nominal")) {
            $0.json(#"{"intent":{"name":"No"},"intent":{"name":"GreetIntent","parameters":{"name":"Ann"}}}"#)
        },
        Case("headers without end", .end("nominal")) {
            $0.headers = (0..<1_000).map { LogHeader("x-\($0)", bytes: [0xFF, 0]) } + [LogHeader("", bytes: nil)]
            $0.json(Self.greeting)
        },
        Case("attributes twice and of no text", .end("nominal")) {
            $0.headers = [
                LogHeader("ce_time", "noon"), LogHeader("ce_time", bytes: [0xFF]), LogHeader("ce_id", bytes: nil),
            ]
            $0.json(Self.greeting)
        },
        Case("headers that are intentd's own", .end("nominal")) {
            $0.headers = [
                LogHeader("ce_stage", "handle"), LogHeader("ce_request", "0:0"), LogHeader("ce_causationid", "x"),
            ]
            $0.json(Self.greeting)
        },
        Case("a user who is none", .end("nominal")) {
            $0.user = "\u{202E}\u{0}u/\u{1F468}\u{200D}\u{1F469}/\u{301}\u{301}"
            $0.json(#"{"intent":{"name":"GreetIntent","parameters":{"name":"Ann"}}}"#)
        },
        Case("everything of the wrong type", .end("invalidRequest")) {
            $0.json(
                #"{"intent":{"name":"GreetIntent","parameters":7},"user":[],"device":3,"locale":{},"expiresAt":[]}"#
            )
        },
        Case("a time out of range", .end("invalidRequest")) {
            $0.json(#"{"intent":{"name":"GreetIntent"},"expiresAt":"99999999999-99-99T99:99:99Z"}"#)
        },
        Case("a time before all others", .end("timeout")) {
            $0.json(#"{"intent":{"name":"GreetIntent"},"expiresAt":"0001-01-01T00:00:00Z"}"#)
        },
        .parameters("10,000 parameters", "{\"name\":\"Ann\"" + (0..<10_000).map { ",\"p\($0)\":1" }.joined() + "}"),
        .parameters("an unknown one, 60 deep", #"{"name":"Ann","x":\#(Self.nested(60))}"#),
        .parameters("one of the wrong type, 60 deep", #"{"name":\#(Self.nested(60))}"#, .prompt("unsupported")),
        .parameters("one that is an object", #"{"name":{"name":{"name":"Ann"}}}"#, .prompt("unsupported")),
        .parameters("one of 65 KiB", #"{"name":"\#(String(repeating: "x", count: 66_000))"}"#, .prompt("unsupported")),
        .parameters("a huge number", #"{"name":123456789012345678901234567890e200}"#, .prompt("unsupported")),
        .parameters("null", #"{"name":null}"#, .prompt("needsValue")),
        .parameters("an empty one", #"{"name":""}"#, .prompt("needsValue")),
        .parameters("control characters", #"{"name":"\u0000\u0001\u001f\u007f\u0085\u2028"}"#),
        .parameters("a name of marks", #"{"name":"\#(String(repeating: "\u{301}", count: 5_000))"}"#),
    ]

    private static let others: [Case] = [
        .event("no.such.type", "", .rejected("invalid")),
        .event("prompt.answered", "", .rejected("invalid")),
        .event("prompt.answered", #""promptId":5"#, .rejected("invalid")),
        .event("prompt.answered", #""promptId":"s/x/1""#, .rejected("invalid")),
        .event("prompt.answered", #""promptId":"s/r/99999999999999999999""#, .rejected("invalid")),
        .event("prompt.answered", #""promptId":"nobody/r/1","choice":-1"#, .rejected("notYours")),
        .event("prompt.answered", #""promptId":"nobody/h/1","action":"explode""#, .rejected("notYours")),
        .event("interaction.cancelled", #""reason":[[]]"#, .rejected("unknown")),
        .event("app.responded", #""code":"success""#, .rejected("unknown")),
        .event("vocabulary.replaced", #""type":"nothing","strings":[]"#, .rejected("invalid")),
        .event("vocabulary.replaced", #""type":"contactName","strings":{"a":1}"#, .rejected("invalid")),
        .event("vocabulary.replaced", #""type":"contactName","strings":[1,null,{}]"#, .rejected("invalid")),
        .event("device.unlocked", #""device":[]"#, .silence),
        .event("user.authenticated", "", .silence),
        .event("intent.resolved", #""interaction":{"id":"x"}"#, .silence),
        .event("timer.fired", #""what":"prompt""#, .silence),
        .event("turn.journaled", "", .silence),
    ]

    @Test("Each is answered, and the same user's next valid event is handled")
    func answersHostileEventsAndNextGoodOne() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            for (number, hostile) in (Self.undecodable + Self.requests + Self.others).enumerated() {
                let isMisplaced = number % 5 == 4
                try await self.play(hostile, number, isMisplaced: isMisplaced, pipeline)
            }
        }
    }

    private func play(_ hostile: Case, _ number: Int, isMisplaced: Bool, _ pipeline: Pipeline) async throws {
        let subject = "hostile-\(number)"
        var headers = hostile.headers + [LogHeader("ce_subject", subject), LogHeader("x-case", subject)]
        if let type = hostile.type { headers.append(LogHeader("ce_type", type)) }
        if let user = hostile.user { headers.append(LogHeader("ce_userid", user)) }
        let count = pipeline.deployment.partitions
        let home = HomePartition.of(user: UserID(hostile.user ?? ""), count: count)
        let value = hostile.value
        try await pipeline.write(partition: isMisplaced ? (home + 1) % count : home, value: value, headers: headers)
        let name = Comment(rawValue: hostile.name)
        switch hostile.answer {
        case .end(let reason):
            #expect(try await pipeline.end(of: InteractionID(subject)).data["endReason"]?.string == reason, name)
        case .rejected(let reason):
            let event = try await pipeline.next { $0.type == "event.rejected" && $0.subject == InteractionID(subject) }
            #expect(event.data["reason"]?.string == reason, name)
        case .prompt(let kind):
            #expect(try await pipeline.next(of: InteractionID(subject)).data["kind"]?.string == kind, name)
        case .buried(_, let isAnswered):
            guard isAnswered else { break }
            #expect(try await pipeline.end(of: InteractionID(subject)).data["endReason"] == "invalidRequest", name)
        case .silence: break
        }
        // The user of the event, and the one who is affected most often.
        let user = hostile.user.flatMap { $0.isEmpty || $0.utf8.count > 1_024 ? nil : $0 } ?? "u1"
        try await pipeline.request("GreetIntent", ["name": "Bob"], user: UserID(user), subject: "good-\(number)")
        #expect(try await pipeline.end(of: "good-\(number)").data["endReason"] == "nominal", name)
        guard case .buried(let code, _) = hostile.answer else { return }
        // Its turn may have run in another partition, where no test waits.
        let record = try await self.deadLetter(of: subject, pipeline)
        #expect(record.header("intentd_error") == code, name)
        #expect(record.value == value, name)
    }

    private func deadLetter(of subject: String, _ pipeline: Pipeline) async throws -> LogRecord {
        let topic = Topic.deadLetters.name(prefix: "intents")
        let starts = (0..<pipeline.deployment.partitions).map { (TopicPartition(topic, $0), Int64(0)) }
        var found: LogRecord?
        try await ResponseWatcher.watch(Dictionary(uniqueKeysWithValues: starts), of: pipeline.log) { records, _ in
            found = records.last { $0.header("x-case") == subject }
            return found != nil
        }
        return try #require(found)
    }

    /// The largest and smallest numbers that can be written, as in an id.
    static let ends = [
        "-9223372036854775808", "-9223372036854775807", "-1", "0", "9223372036854775807", "9223372036854775808",
        "2147483648", "4294967296", "1e400", "-0", "+1x",
    ]

    @Test("An answer whose prompt has a number at the end of all numbers is rejected, and the right one is taken")
    func rejectsPromptNumbersAtExtremes() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            for end in Self.ends {
                for stage in ["r", "c", "h"] {
                    let id = JSONValue.string("i1/\(stage)/\(end)")
                    let data: JSONValue = ["user": ["id": "u1"], "promptId": id, "value": "Ann"]
                    try await pipeline.send(.promptAnswered, data: data)
                    let rejection = try await pipeline.next { $0.type == "event.rejected" }
                    #expect(rejection.data["promptId"] == id)
                }
            }
            var open = prompt
            for choice in [Int64.min, -1, .max] {
                try await pipeline.answer(open, ["choice": .integer(choice)])
                open = try await pipeline.next(of: "i1")
            }
            #expect(open.data["endReason"] == "tooManyAttempts")
            try await pipeline.request("GreetIntent", ["name": "Ann"], subject: "i2")
            #expect(try await pipeline.end(of: "i2").data["endReason"] == "nominal")
        }
    }

    @Test(
        "A record with an extreme timestamp is an event like any other",
        arguments: [
            Int64.min, -1, 0, .max,
        ]
    )
    func acceptsExtremeRecordTimes(timestamp: Int64) async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            let home = HomePartition.of(user: "u1", count: pipeline.deployment.partitions)
            for (subject, value) in [("i1", Self.greeting), ("i2", "{")] {
                try await pipeline.write(
                    partition: home,
                    timestamp: timestamp,
                    value: Array(value.utf8),
                    headers: [
                        LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", "u1"),
                        LogHeader("ce_subject", subject),
                    ]
                )
            }
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "nominal")
            #expect(try await pipeline.end(of: "i2").data["endReason"] == "invalidRequest")
            let end = Timestamp(clamping: timestamp).description
            #expect(Timestamp(end)?.description == end)
        }
    }

    @Test("A value of the maximum depth passes all stages, and its turns can be read and replayed")
    func deepestValuePassesAllStages() async throws {
        let handler = IntentRegistration { ProbeHandler(confirm: { _ in .init(code: .ready) }) }
        try await Pipeline.with([handler]) { pipeline in
            let deep = try JSONValue(parsing: Self.nested(59))
            try await pipeline.request("ProbeIntent", ["first": deep, "second": "b"], subject: "deep")
            let prompt = try await pipeline.next(of: "deep")
            #expect(prompt.data["kind"] == "unsupported")
            try await pipeline.answer(prompt, ["value": "a", "corrections": ["second": deep]])
            let second = try await pipeline.next(of: "deep")
            try await pipeline.answer(second, ["value": "b"])
            #expect(try await pipeline.end(of: "deep").data["endReason"] == "nominal")
            for outcome in try await pipeline.replayAll([handler]) { #expect(outcome.isMatch) }
        }
    }
}
