import GRDB
import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

/// The limits on what clients can create.
struct LimitTests {
    private func run(
        _ configure: (inout EmbeddedBroker.Configuration) -> Void,
        _ body: (inout BrokerHarness) throws -> Void
    ) throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, configure) { broker throws in
                try broker.create()
                try body(&broker)
            }
        }
    }

    private func create(
        _ count: Int,
        partitions: Int32 = 1,
        validateOnly: Bool = false,
        _ broker: inout BrokerHarness
    ) throws -> [ErrorCode] {
        let topics = (0..<count)
            .map {
                CreateTopicsRequest.Topic(name: "n\($0)", numPartitions: partitions, replicationFactor: 1)
            }
        let request = CreateTopicsRequest(topics: topics, validateOnly: validateOnly)
        return try broker.ask(.createTopics(request), CreateTopicsResponse.self).topics.map(\.errorCode)
    }

    @Test func boundsTopics() throws {
        try self.run(
            { $0.limits.topics = 4 },
            { broker throws in
                let expected: [ErrorCode] = [.none, .none, .none, .policyViolation, .policyViolation]
                #expect(try self.create(5, validateOnly: true, &broker) == expected)
                #expect(try self.create(5, &broker) == expected)
                let records = RecordBatch.produced([.init(key: "a", value: "1")])
                #expect(try broker.produce(records, to: "auto").errorCode == .unknownTopicOrPartition)
                #expect(broker.core.notices.pending == [.limitReached("topics", limit: 4)])
            }
        )
    }

    @Test func boundsPartitions() throws {
        try self.run(
            { $0.limits.partitions = 10 },
            { broker throws in
                #expect(try self.create(3, partitions: 4, &broker) == [.none, .none, .policyViolation])
                let grow = CreatePartitionsRequest(topics: [.init(name: "t", count: 3)])
                let grown = try broker.ask(.createPartitions(grow), CreatePartitionsResponse.self)
                #expect(grown.results[0].errorCode == .policyViolation)
                let delete = DeleteTopicsRequest(topicNames: ["n0"])
                _ = try broker.ask(.deleteTopics(delete), version: 1, DeleteTopicsResponse.self)
                let again = try broker.ask(.createPartitions(grow), CreatePartitionsResponse.self)
                #expect(again.results[0].errorCode == .none)
            }
        )
    }

    @Test("Creating and deleting topics for ever does not exhaust the partition ids")
    func reusesPartitionIDsBeyondMaximum() throws {
        try self.run(
            { _ in },
            { broker throws in
                try broker.core.store.execute(
                    "INSERT INTO partitions (id, topic, number, start_offset, end_offset) VALUES (?, 999, 0, 0, 0)",
                    [BatchKey.maxPartition]
                )
                try broker.create("late")
                let rows = broker.core.topics["late"]?.partitions.map(\.id) ?? []
                #expect(rows == [3, 4])
                let records = RecordBatch.produced([.init(key: "a", value: "1")])
                #expect(try broker.produce(records, to: "late").baseOffset == 0)
                #expect(try broker.read("late").highWatermark == 1)
                #expect(try broker.read("t").highWatermark == 0)
            }
        )
    }

    private func join(
        _ group: Name,
        bytes: Int = 10,
        _ broker: inout BrokerHarness
    ) throws -> ErrorCode? {
        let request = JoinGroupRequest(
            groupID: group,
            sessionTimeoutMs: 10_000,
            rebalanceTimeoutMs: .max,
            protocolType: "consumer",
            protocols: [.init(name: "range", metadata: ByteBuffer(repeating: 0, count: bytes))]
        )
        let token = try broker.send(.joinGroup(request), version: 3)
        return broker.answer(token, JoinGroupResponse.self)?.errorCode
    }

    @Test func boundsGroups() throws {
        try self.run(
            { $0.limits.groups = 2 },
            { broker throws in
                #expect(try self.join("a", &broker) == ErrorCode.none)
                #expect(try self.join("b", &broker) == ErrorCode.none)
                #expect(try self.join("c", &broker) == .groupMaxSizeReached)
                let topic = OffsetCommitRequest.Topic(name: "t", partitions: [.init(partitionIndex: 0, offset: 1)])
                let commit = OffsetCommitRequest(groupID: "c", topics: [topic])
                let committed = try broker.ask(.offsetCommit(commit), OffsetCommitResponse.self)
                #expect(committed.topics[0].partitions[0].errorCode == .policyViolation)
            }
        )
    }

    @Test func forgetsEmptyGroups() throws {
        try self.run(
            { _ in },
            { broker throws in
                #expect(try self.join("a", &broker) == ErrorCode.none)
                try broker.pass(.seconds(11))
                #expect(broker.core.groups["a"]?.members.isEmpty == true)
                for _ in 0..<10 { try broker.pass(.seconds(10)) }
                #expect(broker.core.groups.values.isEmpty)
            }
        )
    }

    @Test func boundsMembersAndTheirBytes() throws {
        try self.run(
            {
                $0.limits.groupMembers = 2
                $0.limits.memberBytes = 1_000
                $0.limits.groupBytes = 2_500
            },
            { broker throws in
                #expect(try self.join("a", &broker) == ErrorCode.none)
                #expect(try self.join("a", &broker) == nil)
                #expect(try self.join("a", &broker) == .groupMaxSizeReached)
                #expect(try self.join("b", bytes: 1_000, &broker) == .groupMaxSizeReached)
                #expect(try self.join("b", bytes: 900, &broker) == ErrorCode.none)
                #expect(try self.join("c", bytes: 900, &broker) == .groupMaxSizeReached)
                // No wait is longer than the longest session.
                let longest = broker.core.configuration.sessionTimeouts.upperBound.milliseconds
                #expect(broker.core.groups["b"]?.members.values.first?.rebalanceTimeout == longest)
            }
        )
    }

    @Test func boundsBytesOfOffsets() throws {
        try self.run(
            { $0.limits.offsetBytes = 10_000 },
            { broker throws in
                func commit(_ group: Name, _ bytes: Int) throws -> ErrorCode {
                    let metadata = String(repeating: "m", count: bytes)
                    let topic = OffsetCommitRequest.Topic(
                        name: "t",
                        partitions: [.init(partitionIndex: 0, offset: 1, metadata: metadata)]
                    )
                    let request = OffsetCommitRequest(groupID: group, topics: [topic])
                    return try broker.ask(.offsetCommit(request), OffsetCommitResponse.self)
                        .topics[0].partitions[0].errorCode
                }
                #expect(try commit("a", 4_000) == .none)
                for _ in 0..<10 { #expect(try commit("b", 4_000) == .none) }
                #expect(try commit("c", 4_000) == .invalidCommitOffsetSize)
                #expect(try commit("c", 5_000) == .offsetMetadataTooLarge)
                let delete = DeleteGroupsRequest(groupNames: ["a"])
                _ = try broker.ask(.deleteGroups(delete), DeleteGroupsResponse.self)
                #expect(try commit("c", 4_000) == .none)
                #expect(try commit("d", 4_000) == .invalidCommitOffsetSize)
                let forget = OffsetDeleteRequest(
                    groupID: "c",
                    topics: [.init(name: "t", partitions: [.init(partitionIndex: 0)])]
                )
                _ = try broker.ask(.offsetDelete(forget), OffsetDeleteResponse.self)
                #expect(try commit("d", 4_000) == .none)
            }
        )
    }

    @Test func boundsTransactionalIDsAndOpenTransactions() throws {
        try self.run(
            {
                $0.limits.transactionalIDs = 3
                $0.limits.openTransactions = 2
                $0.limits.transactionPartitions = 1
            },
            { broker throws in
                let producers = try ["a", "b", "c"].map { try broker.initialize(Name($0)) }
                let request = InitProducerIDRequest(transactionalID: "d", transactionTimeoutMs: 1_000)
                let refused = try broker.ask(.initProducerID(request), InitProducerIDResponse.self)
                #expect(refused.errorCode == .policyViolation)
                #expect(try broker.begin("a", producers[0]) == .none)
                #expect(try broker.begin("b", producers[1]) == .none)
                #expect(try broker.begin("c", producers[2]) == .concurrentTransactions)
                #expect(try broker.begin("a", producers[0]) == .none)
                let more = AddPartitionsToTxnRequest(
                    transactionalID: "a",
                    producerID: producers[0].id,
                    producerEpoch: producers[0].epoch,
                    topics: [.init(name: "t", partitions: [0, 1])]
                )
                let added = try broker.ask(.addPartitionsToTxn(more), AddPartitionsToTxnResponse.self)
                #expect(added.topics[0].partitions.map(\.errorCode) == [.policyViolation, .policyViolation])
                #expect(try broker.end("b", producers[1], commit: true) == .none)
                #expect(try broker.begin("c", producers[2]) == .none)
            }
        )
    }

    @Test func boundsRememberedProducers() throws {
        try self.run(
            { $0.limits.producers = 100 },
            { broker throws in
                for id in 0..<1_000 as Range<Int64> {
                    let records = RecordBatch.produced(
                        [.init(key: "a", value: "1")],
                        producerID: 1_000 + id,
                        epoch: 0,
                        sequence: 0
                    )
                    #expect(try broker.produce(records).errorCode == .none)
                    try broker.pass(.milliseconds(1))
                }
                let remembered = broker.core.topics["t"]?.partitions[0].producers ?? [:]
                #expect(remembered.count <= 111)
                #expect(remembered[1_999] != nil)
            }
        )
    }

    @Test func boundsWaitingPartitions() throws {
        try self.run(
            { $0.limits.waitingPartitions = 3 },
            { broker throws in
                let request = BrokerHarness.fetch(maxWaitMs: .max)
                let waiting = try (0..<3).map { _ in try broker.send(.fetch(request)) }
                let beyond = try broker.send(.fetch(request))
                #expect(broker.answer(beyond, FetchResponse.self) != nil)
                for token in waiting { #expect(broker.answer(token, FetchResponse.self) == nil) }
                // No request waits longer than five minutes.
                try broker.pass(.seconds(300))
                for token in waiting { #expect(broker.answer(token, FetchResponse.self) != nil) }
                #expect(broker.core.longPolls.partitionCount == 0)
            }
        )
    }

    @Test("While clients do not read their responses, Fetch returns no more than there is room for")
    func fetchReturnsNoMoreThanOutboxHolds() throws {
        try self.run(
            { _ in },
            { broker throws in
                let records = RecordBatch.produced([.init(key: "a", value: String(repeating: "v", count: 10_000))])
                for _ in 0..<10 { _ = try broker.produce(records) }
                func bytes(_ allowance: Int) throws -> Int {
                    broker.core.outbox.bytes = 0
                    broker.core.outbox.fetchAllowance = allowance
                    return try broker.read().byteCount
                }
                #expect(try bytes(.max) > 100_000)
                #expect(try bytes(25_000) < 25_000)
                #expect(try bytes(1) > 10_000)
                #expect(try bytes(0) == 0)
            }
        )
    }

    @Test("A name that is repeated in a request is answered once")
    func answersRepeatedNamesOnce() throws {
        try self.run(
            { _ in },
            { broker throws in
                let metadata = MetadataRequest(topics: Array(repeating: .init(name: "t"), count: 1_000))
                #expect(try broker.ask(.metadata(metadata), version: 9, MetadataResponse.self).topics.count == 1)
                let configs = DescribeConfigsRequest(
                    resources: Array(repeating: .init(resourceType: 2, resourceName: "t"), count: 1_000)
                )
                #expect(try broker.ask(.describeConfigs(configs), DescribeConfigsResponse.self).results.count == 1)
                let groups = DescribeGroupsRequest(groups: Array(repeating: "g", count: 1_000))
                #expect(try broker.ask(.describeGroups(groups), DescribeGroupsResponse.self).groups.count == 1)
                let offsets = OffsetFetchRequest(groups: Array(repeating: .init(groupID: "g"), count: 1_000))
                #expect(try broker.ask(.offsetFetch(offsets), version: 8, OffsetFetchResponse.self).groups.count == 1)
            }
        )
    }

    @Test("Deleting can be disabled")
    func refusesDeletionsWhenDisabled() throws {
        try self.run(
            { $0.allowsDeletion = false },
            { broker throws in
                _ = try broker.produce(RecordBatch.produced([.init(key: "a", value: "1")]))
                let topics = DeleteTopicsRequest(topicNames: ["t"])
                let deleted = try broker.ask(.deleteTopics(topics), version: 1, DeleteTopicsResponse.self)
                #expect(deleted.responses.map(\.errorCode) == [.policyViolation])
                let records = DeleteRecordsRequest(topics: [.init(name: "t", partitions: [.init(offset: 1)])])
                let cut = try broker.ask(.deleteRecords(records), DeleteRecordsResponse.self)
                #expect(cut.topics[0].partitions[0].errorCode == .policyViolation)
                _ = try self.join("g", &broker)
                try broker.pass(.seconds(11))
                let groups = DeleteGroupsRequest(groupNames: ["g"])
                let gone = try broker.ask(.deleteGroups(groups), DeleteGroupsResponse.self)
                #expect(gone.results.map(\.errorCode) == [.policyViolation])
                #expect(try broker.read().highWatermark == 1)
            }
        )
    }
}
