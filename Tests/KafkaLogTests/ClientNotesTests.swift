import CRDKafka
import IntentEvents
import IntentLab
import IntentRuntime
import Logging
import Testing

@testable import KafkaLog

@Suite("What a client remembers between calls")
struct ClientNotesTests {
    private static let partitions = [TopicPartition("t", 0), TopicPartition("t", 1)]

    @Test(
        "An unreadable position is reported at once, then once a minute with the number of times; another one at once"
    )
    func unreadablePositionIsReportedOnceAMinute() {
        var records = UnreadableRecords()
        func record(_ index: Int, _ offset: Int64, _ seconds: Int) -> Int? {
            records.record(Self.partitions[index], offset: offset, at: .seconds(seconds))
        }
        #expect(record(0, 7, 0) == 1)
        #expect(record(0, 7, 1) == nil)
        #expect(record(1, 7, 1) == 1)
        #expect(record(0, 7, 59) == nil)
        #expect(record(0, 7, 60) == 4)
        #expect(record(0, 7, 119) == nil)
        #expect(record(0, 7, 120) == 6)
        #expect(record(0, 8, 121) == 1)
        #expect(record(0, 7, 122) == 1)
        #expect(record(0, 7, 123) == nil)
    }

    @Test("The first reason why records were refused is kept until it is read")
    func firstRefusalIsKeptUntilRead() {
        let context = ClientContext(logger: Logger(label: "tests"), brokers: ["a:1", "b:2"], role: "tests")
        #expect(context.brokers == "a:1,b:2")
        #expect(context.popRefusal() == nil)
        context.record(refusal: RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE)
        context.record(refusal: RD_KAFKA_RESP_ERR__FENCED)
        #expect(context.popRefusal() == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE)
        #expect(context.popRefusal() == nil)
        context.record(refusal: RD_KAFKA_RESP_ERR__FENCED)
        #expect(context.popRefusal() == RD_KAFKA_RESP_ERR__FENCED)
    }

    @Test("A failed connection is logged for debugging, and so are its consequences; other messages are not")
    func connectionFailuresAreDebugMessages() {
        let lines = LogLines()
        let context = ClientContext(logger: lines.logger(), brokers: ["a:1"], role: "tests")
        #expect(!context.hasFailedLately)
        for (level, facility) in [(4, "SESSTMOUT"), (3, "FAIL"), (3, "ERROR"), (4, "SESSTMOUT"), (4, "MAXPOLL")] {
            context.log(level: Int32(level), facility: facility, line: "it does not answer")
        }
        #expect(context.hasFailedLately)
        #expect(context.lastError == "it does not answer")
        #expect(lines.all.map(\.level) == [.warning, .debug, .debug, .debug, .warning])
    }

    @Test("A list of partitions of any length is copied as it is")
    func copiesPartitionListsOfAnyLength() throws {
        #expect(PartitionList.elements(of: nil).isEmpty)
        for count in 0...3 {
            let list = try #require(rd_kafka_topic_partition_list_new(0))
            defer { rd_kafka_topic_partition_list_destroy(list) }
            for partition in 0..<count {
                let element = rd_kafka_topic_partition_list_add(list, "t", Int32(partition))
                element?.pointee.offset = Int64(partition) * 10
            }
            let elements = PartitionList.elements(of: list)
            #expect(elements.map(\.topicPartition) == (0..<count).map { TopicPartition("t", $0) })
            #expect(elements.map(\.offset) == (0..<count).map { Int64($0) * 10 })
        }
    }

    @Test("Topics are named by their handles, in any order of messages")
    func namesTopicsByHandle() throws {
        let client = try #require(rd_kafka_new(RD_KAFKA_PRODUCER, nil, nil, 0))
        defer { rd_kafka_destroy(client) }
        let topics = try (["a", "b"] as [String]).map { try #require(rd_kafka_topic_new(client, $0, nil)) }
        defer { for topic in topics { rd_kafka_topic_destroy(topic) } }
        var names = TopicNames()
        for index in [0, 1, 0, 0, 1, 1, 0] {
            let name = names.name(of: topics[index])
            #expect(name == ["a", "b"][index])
        }
        names.forget()
        let (again, none) = (names.name(of: topics[1]), names.name(of: nil))
        #expect(again == "b")
        #expect(none == "")
    }
}
