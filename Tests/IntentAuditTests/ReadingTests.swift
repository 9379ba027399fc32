import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentAudit

@Suite("What audits read", .timeLimit(.minutes(1)))
struct ReadingTests {
    private static let partition = TopicPartition("intents.requests", 0)

    /// A log with ten records, whose values are their offsets.
    private static func log() async throws -> InMemoryLog {
        let log = InMemoryLog()
        _ = try await log.createTopics([TopicDescription(name: Self.partition.topic, partitions: 1)])
        let producer = try await log.makeProducer()
        _ = try await producer.send(
            (0..<10 as Range<UInt8>).map { OutgoingRecord(topicPartition: Self.partition, key: nil, value: [$0]) }
        )
        await producer.close()
        return log
    }

    @Test("A cursor reads from its start to its end, and continues wherever it is moved, forwards and backwards")
    func cursorReadsFromWhereItIsMoved() async throws {
        let cursor = PartitionCursor(try await Self.log(), Self.partition, from: 2, to: 8, maxRecords: 2)
        func rest() async throws -> [Int64] {
            var offsets: [Int64] = []
            while let records = try await cursor.next() { offsets += records.map(\.offset) }
            return offsets
        }
        #expect(try await cursor.next()?.map(\.offset) == [2, 3])
        #expect(cursor.position == 4)
        await cursor.move(to: 6)
        #expect(try await rest() == [6, 7])
        await cursor.move(to: 3)
        #expect(try await rest() == [3, 4, 5, 6, 7])
        await cursor.close()
    }

    /// The most that a window of these tests holds.
    private static let windowBytes = 4_096
    /// The sizes of values: far below the window's, just at it, and beyond.
    private static let valueSizes = [0, 1, 700, 1_400, 3_880, 3_896, 3_897, 4_096, 9_000]

    @Test(
        "A window holds every event that a turn needs, whatever the sizes and the order",
        arguments: 0..<60
    )
    func windowHoldsEveryEventOfATurn(seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        let log = InMemoryLog()
        _ = try await log.createTopics([TopicDescription(name: Self.partition.topic, partitions: 1)])
        let producer = try await log.makeProducer()
        let count = random.pick([1, 7, 60, 1_500])
        let isMixed = random.coin()
        var records: [OutgoingRecord] = []
        for offset in 0..<count {
            // Mixed, or a few small ones and then many large ones, again and again.
            let size = isMixed ? random.pick(Self.valueSizes) : offset % 31 == 0 ? 1 : 1_400
            records.append(
                OutgoingRecord(
                    topicPartition: Self.partition,
                    key: nil,
                    value: Array(repeating: UInt8(offset % 251), count: size)
                )
            )
        }
        _ = try await producer.send(records)
        await producer.close()
        // In order, nearly in order, or in any order; some again.
        var asked = Array(0..<count)
        let disorder = random.pick([0, 3, 40, count])
        for index in asked.indices where disorder > 0 && random.coin() {
            asked.swapAt(index, min(asked.count - 1, index + random.below(disorder)))
        }
        if count > 60 { asked = Array(asked.prefix(random.pick([70, count]))) }
        asked += (0..<min(20, count)).map { _ in random.below(count) }
        let window = EventWindow(
            log,
            .requests,
            Self.partition,
            range: 0..<Int64(count),
            maxBytes: Self.windowBytes
        )
        for offset in asked {
            let event = try await window.event(at: Int64(offset), for: .resolve)
            #expect(event?.position.offset == Int64(offset))
            #expect(event?.content.valueCount == records[offset].value?.count)
        }
        #expect(try await window.event(at: Int64(count), for: .resolve) == nil)
        #expect(window.untaken.keys.allSatisfy { $0 < Int64(count) })
        await window.close()
    }

    @Test(
        "A missing anchored turn is a finding while the topic must still hold it, with an hour's tolerance between clocks"
    )
    func missingAnchoredTurnIsFindingWithinRetention() {
        let day: Int64 = 86_400_000
        let retention = 7 * day
        let head = Anchor.Head(
            stage: .resolve,
            partition: 0,
            digest: String(repeating: "a", count: 64),
            offset: 4,
            time: Timestamp(milliseconds: day)
        )
        let anchored = AnchoredHead(head: head, at: Timestamp(milliseconds: day))
        func isFinding(age: Int64, retention: Int64?, start: Int64 = 5) -> Bool {
            let now = Timestamp(milliseconds: day + age)
            let told = ChainCheck(partition: 0, anchors: [anchored])
                .missingAnchors(before: start, firstTime: nil, retention: retention, now: now)
            #expect(told.findings.count + told.notes.count == 1)
            return !told.findings.isEmpty
        }
        #expect(isFinding(age: day, retention: retention))
        #expect(isFinding(age: retention - 3_600_001, retention: retention))
        #expect(!isFinding(age: retention - 3_600_000, retention: retention))
        #expect(!isFinding(age: retention, retention: retention))
        #expect(!isFinding(age: day, retention: nil))
        // What begins before it holds it, or somebody has removed it.
        #expect(isFinding(age: 100 * day, retention: retention, start: 4))
    }

    /// A user without state.
    private struct NoState: StateSource {
        func entry(_ name: StateName) -> StateEntry? { nil }
        func names(prefix: StateFamily) -> [StateName] { [] }
    }

    @Test("R44: words mean what the user's vocabulary said then, if it came first; else what the global one says now")
    func wordsMeanWhatVocabulariesSaidThen() {
        let query = VocabularyQuery(words: "mum", type: .contactName, parameter: "X.recipient", locale: "en")
        let global = GlobalVocabularies([
            GlobalVocabulary(
                locale: "en",
                digest: "d",
                terms: ["X.recipient": [VocabularyTerm(identifier: "today", phrases: [.init("mum")])]]
            )
        ])
        func meaning(_ answers: [JSONObject]) -> [String?] {
            let reads = answers.map { members in
                var json: JSONObject = ["words": "mum"]
                json.merge(members) { $1 }
                return JournalRead(kind: .vocabularyMatches, name: query.name, result: .value(.object(json)))
            }
            let host = ShadowTurnHost(
                own: Array(reads.prefix(1)),
                others: Array(reads.dropFirst()),
                now: Timestamp(milliseconds: 0),
                identifiers: TurnIdentifiers(
                    deployment: "d",
                    stage: .resolve,
                    position: RecordPosition(.requests, 0, 0)
                ),
                attempt: 1,
                source: NoState(),
                globalVocabularies: global
            )
            return host.vocabularyMatches(query).map(\.identifier)
        }
        let match: JSONValue = ["index": 0, "means": "phrase", "phrase": "mum", "identifier": "then"]
        #expect(meaning([]) == ["today"])
        #expect(meaning([["user": "1", "matches": [match]]]) == ["then"])
        #expect(meaning([["user": "1", "matches": []]]) == ["today"])
        #expect(meaning([["user": "1", "global": "2", "matches": [match]]]) == ["today"])
        #expect(meaning([["matches": []]]) == ["today"])
        // An answer to other words is passed over; the first to these decides.
        let other: JSONObject = ["words": "dad", "user": "1", "matches": [match]]
        #expect(meaning([other]) == ["today"])
        #expect(meaning([other, ["user": "1", "matches": [match]]]) == ["then"])
        #expect(meaning([["user": "1", "matches": []], ["user": "1", "matches": [match]]]) == ["today"])
    }
}
