import Testing

@testable import EmbeddedBroker

struct GroupOffsetTests {
    private func offset(
        _ broker: inout BrokerHarness,
        stable: Bool = false
    ) throws -> OffsetFetchResponse.Topic.Partition {
        let request = OffsetFetchRequest(
            groupID: "g",
            topics: [.init(name: "t", partitionIndexes: [0])],
            requireStable: stable
        )
        return try broker.ask(.offsetFetch(request), version: 7, OffsetFetchResponse.self).topics[0].partitions[0]
    }

    private func hold(
        _ broker: inout BrokerHarness,
        _ producer: (id: Int64, epoch: Int16),
        _ offset: Int64,
        generation: Int32 = -1,
        memberID: Name = ""
    ) throws -> ErrorCode {
        let adding = AddOffsetsToTxnRequest(
            transactionalID: "x",
            producerID: producer.id,
            producerEpoch: producer.epoch,
            groupID: "g"
        )
        let added = try broker.ask(.addOffsetsToTxn(adding), AddOffsetsToTxnResponse.self).errorCode
        if added != .none { return added }
        let request = TxnOffsetCommitRequest(
            transactionalID: "x",
            groupID: "g",
            producerID: producer.id,
            producerEpoch: producer.epoch,
            generationID: generation,
            memberID: memberID,
            topics: [.init(name: "t", partitions: [.init(partitionIndex: 0, offset: offset)])]
        )
        return try broker.ask(.txnOffsetCommit(request), TxnOffsetCommitResponse.self).topics[0].partitions[0].errorCode
    }

    @Test func offsetsAppearOnlyWhenCommitted() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let producer = try broker.initialize("x")
                #expect(try self.hold(&broker, producer, 5) == .none)
                #expect(try self.offset(&broker).offset == -1)
                #expect(try self.offset(&broker, stable: true).errorCode == .unstableOffsetCommit)
                _ = try broker.end("x", producer, commit: true)
                #expect(try self.offset(&broker, stable: true).offset == 5)
                #expect(try self.hold(&broker, producer, 9) == .none)
                _ = try broker.end("x", producer, commit: false)
                #expect(try self.offset(&broker, stable: true).offset == 5)
            }
            try BrokerHarness.run(path: path) { broker throws in
                #expect(try self.offset(&broker).offset == 5)
            }
        }
    }

    @Test func transactionalOffsetsAreFencedByGroup() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                let producer = try broker.initialize("x")
                #expect(try self.hold(&broker, producer, 5, generation: 3, memberID: "m") == .illegalGeneration)
                let join = JoinGroupRequest(
                    groupID: "g",
                    sessionTimeoutMs: 10_000,
                    rebalanceTimeoutMs: 10_000,
                    protocolType: "consumer",
                    protocols: [.init(name: "range")]
                )
                let joined = try broker.ask(.joinGroup(join), version: 3, JoinGroupResponse.self)
                let sync = SyncGroupRequest(groupID: "g", generationID: 1, memberID: joined.memberID)
                _ = try broker.ask(.syncGroup(sync), SyncGroupResponse.self)
                #expect(try self.hold(&broker, producer, 5, generation: 1, memberID: "other") == .unknownMemberID)
                #expect(
                    try self.hold(&broker, producer, 5, generation: 0, memberID: joined.memberID) == .illegalGeneration
                )
                #expect(try self.hold(&broker, producer, 5, generation: 1, memberID: joined.memberID) == .none)
                let zombie = (id: producer.id, epoch: Int16(-1))
                #expect(try self.hold(&broker, zombie, 5) == .producerFenced)
            }
        }
    }

    @Test func commitsNeedMemberWhileGroupHasSome() throws {
        var group = ConsumerGroup(id: "g")
        let now = BrokerTime(monotonic: 0, wall: 0)
        let anonymous = ConsumerGroup.Committer(generation: -1, memberID: "", instanceID: nil, isTransactional: false)
        #expect(group.refusal(of: anonymous, at: now) == nil)
        group.members["m"] = GroupMember(
            id: "m",
            clientID: "",
            clientHost: "",
            sessionTimeout: 1,
            rebalanceTimeout: 1,
            protocols: [],
            expiry: 1
        )
        #expect(group.refusal(of: anonymous, at: now) == .unknownMemberID)
    }
}
