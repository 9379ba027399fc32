import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

/// Names that are equal in Unicode and different in bytes are two names, everywhere.
struct NameTests {
    /// `é` as one code point, and as two.
    private let composed: Name = "s\u{e9}an"
    private let decomposed: Name = "se\u{301}an"

    @Test func comparesNamesByBytes() {
        #expect(self.composed.text == self.decomposed.text)
        #expect(self.composed != self.decomposed)
        #expect(Set([self.composed, self.decomposed, self.composed]).count == 2)
        #expect((self.composed < self.decomposed) != (self.decomposed < self.composed))
        #expect(Name("\u{212b}") != Name("A\u{30a}") && Name("\u{212b}") != Name("\u{c5}"))
    }

    @Test func topicNamesDifferByBytes() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create("Kafka")
                let records = RecordBatch.produced([.init(key: "a", value: "1")])
                // The Kelvin sign is canonically the letter.
                let result = try broker.produce(records, to: "\u{212a}afka")
                #expect(result.errorCode == .unknownTopicOrPartition)
                #expect(try broker.read("Kafka").highWatermark == 0)
                #expect(try broker.read("\u{212a}afka").errorCode == .unknownTopicOrPartition)
            }
        }
    }

    private func offset(_ group: Name, _ broker: inout BrokerHarness) throws -> Int64? {
        let request = OffsetFetchRequest(groupID: group, topics: [.init(name: "t", partitionIndexes: [0])])
        return try broker.ask(.offsetFetch(request), version: 7, OffsetFetchResponse.self)
            .topics.first?
            .partitions.first?
            .offset
    }

    @Test func groupNamesDifferByBytesAfterRestart() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                for (group, offset) in [(self.composed, Int64(1)), (self.decomposed, 2)] {
                    let topic = OffsetCommitRequest.Topic(
                        name: "t",
                        partitions: [.init(partitionIndex: 0, offset: offset)]
                    )
                    let request = OffsetCommitRequest(groupID: group, topics: [topic])
                    _ = try broker.ask(.offsetCommit(request), OffsetCommitResponse.self)
                }
                #expect(try self.offset(self.composed, &broker) == 1)
            }
            try BrokerHarness.run(path: path) { broker throws in
                #expect(try self.offset(self.composed, &broker) == 1)
                #expect(try self.offset(self.decomposed, &broker) == 2)
            }
        }
    }

    @Test func transactionalIDsDifferByBytesAfterRestart() throws {
        try withTemporaryFile { path in
            let (first, second) = try BrokerHarness.run(path: path) { broker throws in
                let made = (try broker.initialize(self.composed), try broker.initialize(self.decomposed))
                #expect(made.0.id != made.1.id && made.1.epoch == 0)
                return made
            }
            try BrokerHarness.run(path: path) { broker throws in
                #expect(try broker.initialize(self.composed).id == first.id)
                #expect(try broker.initialize(self.decomposed).id == second.id)
            }
        }
    }

    @Test func staticMembersDifferByBytes() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                for instance in [self.composed, self.decomposed] {
                    let request = JoinGroupRequest(
                        groupID: "g",
                        sessionTimeoutMs: 10_000,
                        rebalanceTimeoutMs: 10_000,
                        groupInstanceID: instance,
                        protocolType: "consumer",
                        protocols: [.init(name: "range")]
                    )
                    try broker.send(.joinGroup(request))
                }
                #expect(broker.core.groups["g"]?.members.count == 2)
            }
        }
    }

    @Test("A name is refused if it contains a null character, at which SQLite would cut it off, or is too long")
    func refusesUnsoundNames() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                for name in ["", "a\0b", Name(String(repeating: "x", count: 1_025))] {
                    let transaction = InitProducerIDRequest(transactionalID: name, transactionTimeoutMs: 1_000)
                    let begun = try broker.ask(.initProducerID(transaction), InitProducerIDResponse.self)
                    #expect(begun.errorCode == .invalidRequest)
                    let join = JoinGroupRequest(
                        groupID: name,
                        sessionTimeoutMs: 10_000,
                        protocolType: "consumer",
                        protocols: [.init(name: "range")]
                    )
                    let joined = try broker.ask(.joinGroup(join), JoinGroupResponse.self)
                    #expect(joined.errorCode == .invalidGroupID)
                    let topic = OffsetCommitRequest.Topic(name: "t", partitions: [.init(partitionIndex: 0, offset: 1)])
                    let commit = OffsetCommitRequest(groupID: name, topics: [topic])
                    let committed = try broker.ask(.offsetCommit(commit), OffsetCommitResponse.self)
                    #expect(committed.topics[0].partitions[0].errorCode == .invalidGroupID)
                }
                #expect(broker.core.groups.values.isEmpty && broker.core.transactions.values.isEmpty)
            }
        }
    }
}
