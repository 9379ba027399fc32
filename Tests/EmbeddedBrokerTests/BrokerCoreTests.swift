import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct BrokerCoreTests {
    @Test func longPollWakesOnAppendAndTimesOut() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let woken = try broker.send(.fetch(BrokerHarness.fetch(maxWaitMs: 500)))
                #expect(broker.answer(woken, FetchResponse.self) == nil)
                _ = try broker.produce(RecordBatch.produced([.init(key: "a", value: "1")]))
                #expect(broker.answer(woken, FetchResponse.self)?.responses[0].partitions[0].records.count == 1)
                let ended = try broker.send(.fetch(BrokerHarness.fetch(from: 1, maxWaitMs: 500)))
                try broker.pass(.milliseconds(499))
                #expect(broker.answer(ended, FetchResponse.self) == nil)
                try broker.pass(.milliseconds(1))
                #expect(broker.answer(ended, FetchResponse.self)?.responses[0].partitions[0].records.isEmpty == true)
                #expect(broker.core.longPolls.waiting.isEmpty && broker.core.longPolls.byToken.isEmpty)
            }
        }
    }

    @Test func closedConnectionWaitsForNothing() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                try broker.send(.fetch(BrokerHarness.fetch(maxWaitMs: 500)))
                broker.core.close(connection: 1)
                #expect(broker.core.longPolls.waiting.isEmpty && broker.core.longPolls.byToken.isEmpty)
            }
        }
    }

    @Test func logSurvivesRestartAndIsReadFromFile() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create("t", ["max.message.bytes": "4194304"])
                for number in 0..<20 {
                    let result = try broker.produce(RecordBatch.produced([.init(key: "k\(number)", value: "v")]))
                    #expect(result.baseOffset == Int64(number))
                }
            }
            try BrokerHarness.run(path: path) { broker throws in
                #expect(try broker.keys() == (0..<20).map { "k\($0)" })
                #expect(broker.core.topics["t"]?.configuration.maxMessageBytes == 4 << 20)
                #expect(try broker.produce(RecordBatch.produced([.init(key: "k", value: "v")])).baseOffset == 20)
                #expect(try broker.read(from: 19).records.count == 2)
            }
        }
    }

    @Test func alterConfigsResetsUnnamedSettingsUnlessIncremental() throws {
        func settings(_ broker: BrokerHarness) -> [String: String] {
            broker.core.topics["t"]?.configuration.values ?? [:]
        }
        let first = ["max.message.bytes": "4194304", "cleanup.policy": "compact", "retention.ms": "1000"]
        func alter(_ broker: inout BrokerHarness, _ configs: [String: String], validateOnly: Bool = false) throws {
            let configs = configs.map { AlterConfigsRequest.Resource.Config(name: $0.key, value: $0.value) }
            let request = AlterConfigsRequest(
                resources: [.init(resourceType: 2, resourceName: "t", configs: configs)],
                validateOnly: validateOnly
            )
            let answer = try broker.ask(.alterConfigs(request), AlterConfigsResponse.self)
            #expect(answer.responses.map(\.errorCode) == [.none])
        }
        func change(_ broker: inout BrokerHarness, _ name: String, to value: String) throws {
            let config = IncrementalAlterConfigsRequest.Resource.Config(name: name, configOperation: 0, value: value)
            let request = IncrementalAlterConfigsRequest(
                resources: [.init(resourceType: 2, resourceName: "t", configs: [config])]
            )
            let answer = try broker.ask(.incrementalAlterConfigs(request), IncrementalAlterConfigsResponse.self)
            #expect(answer.responses.map(\.errorCode) == [.none])
        }
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create("t", first)
                try change(&broker, "retention.ms", to: "2000")
                #expect(settings(broker) == first.merging(["retention.ms": "2000"]) { $1 })
                try alter(&broker, [:], validateOnly: true)
                #expect(settings(broker).count == 3)
                try alter(&broker, ["retention.ms": "3000"])
                #expect(settings(broker) == ["retention.ms": "3000"])
            }
            try BrokerHarness.run(path: path) { broker throws in
                #expect(settings(broker) == ["retention.ms": "3000"])
                try alter(&broker, [:])
                #expect(settings(broker).isEmpty)
            }
        }
    }

    @Test func refusesOffsetsOutsideTheLog() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                #expect(try broker.read(from: 0).errorCode == .none)
                #expect(try broker.read(from: 1).errorCode == .offsetOutOfRange)
                #expect(try broker.read(from: -1).errorCode == .offsetOutOfRange)
                #expect(try broker.read("unknown").errorCode == .unknownTopicOrPartition)
            }
        }
    }

    @Test func refusesOversizeAndKeylessRecords() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create("t", ["max.message.bytes": "100", "cleanup.policy": "compact"])
                let large = RecordBatch.produced([.init(key: "k", value: String(repeating: "x", count: 100))])
                #expect(try broker.produce(large).errorCode == .messageTooLarge)
                #expect(try broker.produce(RecordBatch.produced([.init(value: "x")])).errorCode == .invalidRecord)
                #expect(
                    try broker.produce(RecordBatch.produced([.init(key: "k", value: "x")]), acks: 2).errorCode
                        == .invalidRequiredAcks
                )
            }
        }
    }

    @Test func createsTopicsOnRequestOnlyIfAllowed() throws {
        try withTemporaryFile { path in
            let asking = MetadataRequest(topics: [.init(name: "new")])
            try BrokerHarness.run(path: path, { $0.autoCreateTopics = false }) { broker throws in
                let topic = try broker.ask(.metadata(asking), MetadataResponse.self).topics[0]
                #expect(topic.errorCode == .unknownTopicOrPartition)
            }
            try BrokerHarness.run(path: path) { broker throws in
                let refusing = MetadataRequest(topics: asking.topics, allowAutoTopicCreation: false)
                #expect(try broker.ask(.metadata(refusing), MetadataResponse.self).topics[0].errorCode != .none)
                #expect(try broker.ask(.metadata(asking), MetadataResponse.self).topics[0].partitions.count == 2)
            }
        }
    }

    @Test("An empty list of topics asks for all of them in version 0, and for none from version 1")
    func metadataListsAllOrNoTopicsByVersion() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                for name in ["a", "b"] as [Name] { try broker.create(name) }
                func names(_ topics: [MetadataRequest.Topic]?, version: Int16) throws -> [Name?] {
                    let asking = MetadataRequest(topics: topics)
                    return try broker.ask(.metadata(asking), version: version, MetadataResponse.self).topics.map(\.name)
                }
                for version in [0, 1, 9] as [Int16] {
                    #expect(try names(nil, version: version) == ["a", "b"])
                    #expect(try names([.init(name: "b")], version: version) == ["b"])
                }
                #expect(try names([], version: 0) == ["a", "b"])
                #expect(try names([], version: 1) == [])
            }
        }
    }

    @Test(
        "A request that names a topic many times is refused without comparing all pairs",
        .timeLimit(.minutes(1))
    )
    func refusesManyRepeatedNamesAtOnce() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                let names = (0..<200_000).map { Name("topic-\($0 % 100_000)") }
                let request = CreateTopicsRequest(
                    topics: names.map { .init(name: $0, numPartitions: 1, replicationFactor: 1) }
                )
                let topics = try broker.ask(.createTopics(request), CreateTopicsResponse.self).topics
                #expect(topics.count == names.count)
                #expect(topics.allSatisfy { $0.errorCode == .invalidRequest })
            }
        }
    }

    @Test func deletedTopicLeavesNothingBehind() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let producer = try broker.initialize("x")
                _ = try broker.begin("x", producer)
                _ = try broker.produce(RecordBatch.produced([.init(key: "a", value: "1")]))
                let request = DeleteTopicsRequest(topics: [.init(name: "t")])
                #expect(
                    try broker.ask(.deleteTopics(request), DeleteTopicsResponse.self).responses[0].errorCode == .none
                )
                #expect(try broker.end("x", producer, commit: true) == .none)
                try broker.create()
                #expect(try broker.keys() == [])
                #expect(try broker.read().highWatermark == 0)
            }
        }
    }
}
