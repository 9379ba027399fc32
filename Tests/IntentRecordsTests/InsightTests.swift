import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentRecords

@Suite("R91: how interactions went, by intent")
struct InsightTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
    }

    /// An event on `responses` of an interaction, as a stage writes it.
    private static func response(_ type: EventType, _ request: RequestID, _ data: JSONObject) -> Event {
        var data = data
        data["intent"] = ["name": "Book", "parameters": [:]]
        return Event(
            id: "e",
            source: "/intentd/resolve",
            type: type,
            time: Timestamp(milliseconds: 1_000),
            subject: InteractionID("i-\(request)"),
            userID: "ada",
            request: request,
            data: .object(data)
        )
    }

    private static func prompt(_ request: RequestID, _ kind: String, _ parameter: String?, stage: String = "r") -> Event
    {
        self.response(
            .promptIssued,
            request,
            [
                "promptId": .string("i-\(request)/\(stage)/1"), "kind": .string(kind),
                "parameter": parameter.map(JSONValue.string) ?? .null,
            ]
        )
    }

    private static func end(_ request: RequestID, _ phase: String, _ code: String, _ reason: String) -> Event {
        self.response(
            .intentResponded,
            request,
            [
                "terminal": true, "phase": .string(phase), "code": .string(code), "endReason": .string(reason),
                "status": code == "success" ? "success" : "failure",
            ]
        )
    }

    /// Records requests, the n-th at n seconds, and these responses.
    private func record(requests: Int, _ responses: [Event]) async throws -> RecordArchive {
        let database = try await RecordDatabase.open(at: self.path, prefix: "intents")
        let requestTopic = TopicPartition(Topic.requests.name(prefix: "intents"), 0)
        let responseTopic = TopicPartition(Topic.responses.name(prefix: "intents"), 0)
        let claim = try await database.claim([requestTopic, responseTopic].sorted())
        var records = (0..<requests)
            .map { number in
                let event = Event(
                    id: "q\(number)",
                    source: "/tests",
                    type: .intentRequested,
                    time: Timestamp(milliseconds: 1),
                    subject: InteractionID("i-0:\(number)"),
                    userID: "ada",
                    data: ["intent": ["name": "Book", "parameters": [:]], "user": ["id": "ada"]]
                )
                return LogRecord(
                    topicPartition: requestTopic,
                    offset: Int64(number),
                    timestamp: Int64(number) * 1_000,
                    content: event.content
                )
            }
        records += responses.enumerated()
            .map { offset, event in
                LogRecord(
                    topicPartition: responseTopic,
                    offset: Int64(offset),
                    timestamp: 1_000_000 + Int64(offset),
                    content: event.content
                )
            }
        _ = try await database.record(records, under: claim)
        await database.close()
        return try await RecordArchive.open(at: self.path)
    }

    @Test("Each interaction is counted in each step that it reached, and where it ended")
    func countsEachStep() async throws {
        let archive = try await self.record(
            requests: 7,
            [
                Self.prompt("0:0", "needsValue", "date"), Self.prompt("0:0", "intentConfirmation", nil, stage: "c"),
                Self.end("0:0", "handle", "success", "nominal"),
                // Left at its second question.
                Self.prompt("0:1", "needsValue", "people"), Self.prompt("0:1", "needsValue", "date"),
                Self.end("0:1", "resolve", "failure", "timeout"),
                Self.prompt("0:2", "needsValue", "date"), Self.end("0:2", "resolve", "failure", "abortedByUser"),
                Self.prompt("0:3", "intentConfirmation", nil, stage: "c"),
                Self.end("0:3", "confirm", "failure", "declined"),
                // The handler's time limit is no abandonment, although the user was asked.
                Self.prompt("0:4", "intentConfirmation", nil, stage: "c"),
                Self.end("0:4", "handle", "failure", "timeout"),
                Self.end("0:5", "confirm", "failureTableTaken", "failed"),
                Self.prompt("0:6", "needsValue", "date"),
            ]
        )
        let insight = try await archive.insight(since: nil, until: nil, intent: nil)
        let funnel = try #require(insight.funnels.first)
        #expect(insight.funnels.count == 1 && funnel.intent == "Book")
        #expect(
            [
                funnel.requested, funnel.asked, funnel.confirmed, funnel.done, funnel.abandoned, funnel.failed,
                funnel.open,
            ]
                == [7, 6, 2, 1, 3, 2, 1]
        )
        #expect(
            funnel.abandonments == [
                .init(kind: "needsValue", parameter: "date", count: 2),
                .init(kind: "intentConfirmation", parameter: nil, count: 1),
            ]
        )
        #expect(
            funnel.failures == [
                .init(reason: "failed", code: "failureTableTaken", count: 1),
                .init(reason: "timeout", code: "failure", count: 1),
            ]
        )
        #expect(funnel.abandonments.reduce(0) { $0 + $1.count } == funnel.abandoned)
    }

    @Test("Every interaction of recorded traffic is counted once, of the given time and intent alone")
    func agreesWithTheList() async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        try await RecordTables.write(Traffic(seed: 3, interactions: 60, junk: false).interleaved(seed: 5), to: database)
        await database.close()
        let archive = try await RecordArchive.open(at: self.path)
        let all = try await archive.interactions(InteractionFilter(limit: 1_000))
        let middle = try #require(all[all.count / 2].requestedAt)
        let intent = try #require(all[0].intent)
        for (since, until, only) in [(nil, nil, nil), (middle, nil, nil), (nil, middle, intent)]
            as [(Timestamp?, Timestamp?, String?)]
        {
            let expected = all.filter { one in
                since.map { one.requestedAt! >= $0 } ?? true && until.map { one.requestedAt! < $0 } ?? true
                    && only.map { one.intent == $0 } ?? true
            }
            let funnels = try await archive.insight(since: since, until: until, intent: only).funnels
            #expect(funnels.reduce(0) { $0 + $1.requested } == expected.count)
            #expect(funnels.reduce(0) { $0 + $1.open } == expected.filter { $0.endedAt == nil }.count)
            #expect(funnels.reduce(0) { $0 + $1.asked } == expected.filter { $0.prompts > 0 }.count)
            #expect(
                funnels.reduce(0) { $0 + $1.done }
                    == expected.filter { $0.endedAt != nil && $0.status != "failure" }.count
            )
            var total: Int64 = 0
            for one in expected where one.endedAt != nil {
                let story = try #require(try await archive.story(ofRequest: one.position))
                total += try #require(InteractionTimes(story, now: .distantFuture)).total
            }
            #expect(funnels.reduce(0) { $0 + $1.times.values.reduce(0, +) } == total)
            #expect(total > 0)
            #expect(funnels.reduce(0) { $0 + $1.timed } == expected.filter { $0.endedAt != nil }.count)
            for funnel in funnels {
                #expect(funnel.requested == funnel.done + funnel.abandoned + funnel.failed + funnel.open)
            }
        }
    }

    @Test("Keys with the same hash have numbers of their own")
    func keysWithSameHashDiffer() {
        func bytes(_ words: UInt64...) -> [UInt8] { words.flatMap { word in withUnsafeBytes(of: word, Array.init) } }
        // What a client could choose: the second word undoes the difference that the first one has made.
        let first = KeyNumbers.hash(bytes(1))
        let keys = (1...20).map { word in bytes(word, KeyNumbers.hash(bytes(word)) ^ first) }
        #expect(Set(keys.map(KeyNumbers.hash)).count == 1 && Set(keys).count == 20)
        var numbers = KeyNumbers()
        #expect(keys.map { numbers.number(of: $0) } == Array(0..<20))
        #expect(keys.reversed().map { numbers.number(of: $0) } == (0..<20).reversed())
        #expect(numbers.number(of: []) == 20 && numbers.number(of: [0]) == 21)
    }
}
