import IntentEvents
import Testing

@Suite("Topics, positions, and home partitions")
struct TopicsTests {
    /// The values of Kafka's own tests of its partitioner, and texts with one to five bytes behind whole words.
    @Test(
        "R1: a user's home partition is the one that Java's partitioner gives the key",
        arguments: [
            ("21", -973_932_308), ("foobar", -790_332_482), ("a-little-bit-long-string", -985_981_536),
            ("a-little-bit-longer-string", -1_486_304_829),
            ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971), ("abc", 479_470_107),
        ] as [(String, Int32)]
    )
    func partitionerMatchesJava(key: String, hash: Int32) {
        #expect(Int32(bitPattern: Array(key.utf8).withUnsafeBufferPointer(HomePartition.murmur2)) == hash)
        let positive = Int(hash & 0x7FFF_FFFF)
        for count in [1, 2, 3, 8, 50] {
            #expect(HomePartition.of(user: UserID(key), count: count) == positive % count)
        }
    }

    @Test("A position is topic, partition and offset, and is read as it is written")
    func positionRoundTrips() {
        for topic in Topic.allCases {
            for (partition, offset) in [(0, 0), (12, 345), (7, Int64.max)] as [(Int, Int64)] {
                let position = RecordPosition(topic, partition, offset)
                let text = "\(topic.rawValue)/\(partition)/\(offset)"
                #expect(position.description == text)
                var bytes = Array("at ".utf8)
                position.write(to: &bytes)
                #expect(String(decoding: bytes, as: UTF8.self) == "at \(text)")
                #expect(RecordPosition(text) == position)
                #expect(Array(text.utf8).withUnsafeBufferPointer { RecordPosition(utf8: $0) } == position)
            }
        }
        for text in [
            "", "requests", "requests/1", "requests/1/", "requests//1", "other/1/2", "requests/1/2/3", "requests/x/2",
            "requests/1/x", "requests/1/9223372036854775808", "/1/2",
        ] {
            #expect(RecordPosition(text) == nil)
            #expect(Array(text.utf8).withUnsafeBufferPointer { RecordPosition(utf8: $0) } == nil)
        }
    }

    @Test("A topic's full name has the deployment's prefix, and no other name is one of its topics")
    func fullNamesHavePrefix() {
        for topic in Topic.allCases {
            #expect(Topic(name: topic.name(prefix: "intents"), prefix: "intents") == topic)
            #expect(Topic(name: topic.name(prefix: "other"), prefix: "intents") == nil)
            #expect(Topic.allCases[topic.index] == topic)
        }
        #expect(Topic.userActivities.name(prefix: "a.b") == "a.b.user-activities")
        #expect(Topic(name: "intents.else", prefix: "intents") == nil)
        #expect(Topic(name: "intentsxrequests", prefix: "intents") == nil)
        #expect(Topic.allCases.filter { !$0.isRecorded } == [.state])
    }

    @Test("Each stage reads its topic and writes the next one's; only the first one writes what it reads")
    func stagesReadAndWriteTheirTopics() {
        #expect(Stage.allCases.map(\.inputTopic) == [.requests, .resolved, .confirmed])
        #expect(Stage.allCases.map(\.nextTopic) == [.resolved, .confirmed, nil])
        for stage in Stage.allCases {
            #expect(stage.outputTopics.contains(stage.inputTopic) == (stage == .resolve))
            #expect(stage.nextTopic.map(stage.outputTopics.contains) ?? true)
            #expect(stage.source == "/intentd/\(stage.rawValue)")
            #expect(Stage(letter: stage.letter) == stage)
        }
        #expect(Stage(letter: "x") == nil)
        #expect(Stage.resolve < .confirm && Stage.confirm < .handle && !(Stage.handle < .resolve))
    }

    @Test("A request's position is a partition and an offset")
    func requestPlaceIsPartitionAndOffset() {
        #expect(["0:0", "7:12345"].allSatisfy { RequestID($0).isPosition })
        #expect(["", "0", "0:", ":0", "0:0:0", "-1:0", "0:-1", "a:0", "0:b"].allSatisfy { !RequestID($0).isPosition })
    }
}
