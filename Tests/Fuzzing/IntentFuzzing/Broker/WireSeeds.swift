#if DEBUG || FUZZING
import NIOCore

@testable import EmbeddedBroker

/// The inputs that the fuzzing of the broker begins with: every request in every version, and the traffic of producers,
/// consumers and transactions.
enum WireSeeds {
    /// All inputs by name.
    static var all: [String: ByteBuffer] {
        var seeds: [String: ByteBuffer] = [:]
        for api in ApiKey.allCases {
            let frames = api.versions.compactMap { Self.smallest(api, $0) }
            seeds["smallest-\(api)"] = Self.input(frames)
        }
        for (name, frames) in Self.traffic {
            let all: [FuzzedBroker.Options] = [
                .mendsBatches, [.mendsBatches, .timePasses], [.isOneRound], [.mendsBatches, .compresses],
            ]
            for options in all {
                seeds["\(name)-\(options.rawValue)"] = Self.input(frames, options)
            }
        }
        return seeds
    }

    /// One input with these frames.
    static func input(_ frames: [ByteBuffer], _ options: FuzzedBroker.Options = .mendsBatches) -> ByteBuffer {
        var input = ByteBuffer(integer: options.rawValue)
        for frame in frames {
            input.writeInteger(UInt16(frame.readableBytes))
            input.writeImmutableBuffer(frame)
        }
        return input
    }

    /// The smallest body of zeros, or of ones, that is a request.
    private static func smallest(_ api: ApiKey, _ version: Int16) -> ByteBuffer? {
        let frame = RequestFrame(api: api, version: version, clientID: nil)
        for size in 0..<64 {
            for byte in [0, 1] as [UInt8] {
                let bytes = frame.bytes(raw: Array(repeating: byte, count: size))
                var reader = WireReader(bytes, isFlexible: false)
                guard let header = try? RequestHeader(from: &reader),
                    (try? Request(header.api, from: &reader, version: header.version)) != nil
                else { continue }
                return bytes
            }
        }
        return nil
    }

    private static func frame(_ api: ApiKey, _ version: Int16, _ body: any WireEncodable) -> ByteBuffer {
        RequestFrame(api: api, version: version, clientID: nil).bytes(body)
    }

    private static var traffic: [(name: String, frames: [ByteBuffer])] {
        [
            ("producing", Self.producing), ("compressed", Self.compressed), ("transaction", Self.transaction),
            ("group", Self.group),
            ("offsets", Self.offsets), ("topics", Self.topics),
        ]
    }

    private static func produce(_ records: ByteBuffer, _ name: Name? = nil, version: Int16 = 7) -> ByteBuffer {
        let request = ProduceRequest(
            transactionalID: name,
            acks: -1,
            topics: [.init(name: "t", partitions: [.init(index: 0, records: records)])]
        )
        return Self.frame(.produce, version, request)
    }

    private static func fetch(_ version: Int16, from offset: Int64 = 0, waiting: Int32 = 0) -> ByteBuffer {
        let request = FetchRequest(
            maxWaitMs: waiting,
            minBytes: 1,
            maxBytes: 1 << 20,
            isolationLevel: 1,
            topics: [.init(topic: "t", partitions: [.init(fetchOffset: offset, partitionMaxBytes: 1 << 20)])]
        )
        return Self.frame(.fetch, version, request)
    }

    private static var producing: [ByteBuffer] {
        let records = RecordBatch.produced([.init(key: "a", value: "1"), .init(key: "b", value: nil)])
        func batch(_ sequence: Int32) -> ByteBuffer {
            RecordBatch.produced([.init(key: "a", value: "1")], producerID: 2, epoch: 0, sequence: sequence)
        }
        return [
            Self.fetch(11, from: 5, waiting: 500), Self.produce(records), Self.produce(records, version: 9),
            Self.frame(.initProducerID, 1, InitProducerIDRequest()), Self.produce(batch(0)), Self.produce(batch(0)),
            Self.produce(batch(1)), Self.fetch(4), Self.fetch(11), Self.fetch(12),
        ]
    }

    /// With `compresses` these are valid; without it they are garbage where the attributes promise a codec.
    private static var compressed: [ByteBuffer] {
        let plain = RecordBatch.produced([
            .init(key: "a", value: "1"), .init(key: "b", value: String(repeating: "v", count: 200), timestamp: 5),
        ])
        let marked = (1...4)
            .map { (number: Int16) in
                var batch = plain
                batch.setInteger(number, at: 21)
                return Self.produce(RecordBatch.mended(batch))
            }
        let sound = MadeCompression.allCases.map { Self.produce(RecordBatch.compressed(plain, $0)) }
        return marked + sound + [Self.fetch(11)]
    }

    private static var transaction: [ByteBuffer] {
        let inside = RecordBatch.produced(
            [.init(key: "k", value: "v")],
            producerID: 1,
            epoch: 0,
            sequence: 1,
            isTransactional: true
        )
        let held = TxnOffsetCommitRequest.Topic(name: "t", partitions: [.init(partitionIndex: 0, offset: 4)])
        func commit(_ version: Int16) -> ByteBuffer {
            let request = TxnOffsetCommitRequest(
                transactionalID: "x",
                groupID: "g",
                producerID: 1,
                producerEpoch: 0,
                generationID: 1,
                memberID: "m1",
                topics: [held]
            )
            return Self.frame(.txnOffsetCommit, version, request)
        }
        func end(_ version: Int16, _ isCommit: Bool) -> ByteBuffer {
            let request = EndTxnRequest(transactionalID: "x", producerID: 1, producerEpoch: 0, committed: isCommit)
            return Self.frame(.endTxn, version, request)
        }
        let partitions = AddPartitionsToTxnRequest(
            transactionalID: "x",
            producerID: 1,
            producerEpoch: 0,
            topics: [.init(name: "t", partitions: [0])]
        )
        let offsets = AddOffsetsToTxnRequest(transactionalID: "x", producerID: 1, producerEpoch: 0, groupID: "g")
        let again = InitProducerIDRequest(
            transactionalID: "x",
            transactionTimeoutMs: 1_000,
            producerID: 1,
            producerEpoch: 0
        )
        return [
            Self.produce(inside, "x"), commit(3), commit(2), end(1, true),
            Self.frame(.addPartitionsToTxn, 0, partitions),
            Self.frame(.addOffsetsToTxn, 3, offsets), end(3, false), Self.frame(.addPartitionsToTxn, 3, partitions),
            Self.frame(.initProducerID, 4, again), Self.fetch(11),
        ]
    }

    private static func join(_ version: Int16, _ member: Name, _ instance: Name? = nil) -> ByteBuffer {
        let request = JoinGroupRequest(
            groupID: "g",
            sessionTimeoutMs: 6_000,
            rebalanceTimeoutMs: 6_000,
            memberID: member,
            groupInstanceID: instance,
            protocolType: "consumer",
            protocols: [.init(name: "range", metadata: ByteBuffer(string: "m"))]
        )
        return Self.frame(.joinGroup, version, request)
    }

    private static var group: [ByteBuffer] {
        func sync(_ version: Int16, _ member: Name, _ generation: Int32) -> ByteBuffer {
            let assignments = [SyncGroupRequest.Assignment(memberID: "m2", assignment: ByteBuffer(string: "a"))]
            let request = SyncGroupRequest(
                groupID: "g",
                generationID: generation,
                memberID: member,
                protocolType: "consumer",
                protocolName: "range",
                assignments: assignments
            )
            return Self.frame(.syncGroup, version, request)
        }
        let heartbeat = HeartbeatRequest(groupID: "g", generationID: 1, memberID: "m1")
        let leave = LeaveGroupRequest(groupID: "g", members: [.init(memberID: "", groupInstanceID: "i2")])
        return [
            Self.frame(.heartbeat, 3, heartbeat), Self.join(5, "", "i2"), Self.join(4, ""), Self.join(3, ""),
            Self.join(9, "m1"), Self.join(5, "m2", "i2"), sync(3, "m1", 2), sync(5, "m2", 2),
            Self.frame(.leaveGroup, 1, LeaveGroupRequest(groupID: "g", memberID: "m1")),
            Self.frame(.leaveGroup, 5, leave),
        ]
    }

    private static var offsets: [ByteBuffer] {
        let topic = OffsetCommitRequest.Topic(
            name: "t",
            partitions: [.init(partitionIndex: 0, offset: 3, metadata: "m")]
        )
        let commit = OffsetCommitRequest(groupID: "g", generationID: 1, memberID: "m1", topics: [topic])
        let alone = OffsetCommitRequest(groupID: "h", topics: [topic])
        let fetch = OffsetFetchRequest(
            groupID: "g",
            topics: [.init(name: "t", partitionIndexes: [0])],
            requireStable: true
        )
        let list = ListOffsetsRequest(topics: [
            .init(name: "t", partitions: [.init(timestamp: 1_000), .init(timestamp: -1), .init(timestamp: -3)])
        ])
        return [
            Self.frame(.offsetCommit, 7, commit), Self.frame(.offsetCommit, 2, alone),
            Self.frame(.offsetFetch, 7, fetch),
            Self.frame(.offsetFetch, 1, fetch), Self.frame(.listOffsets, 2, list), Self.frame(.listOffsets, 7, list),
        ]
    }

    private static var topics: [ByteBuffer] {
        let create = CreateTopicsRequest(topics: [.init(name: "n", numPartitions: 3, replicationFactor: 1)])
        return [
            Self.frame(.createTopics, 4, create), Self.frame(.createTopics, 7, create),
            Self.frame(.deleteTopics, 1, DeleteTopicsRequest(topicNames: ["t", "n"])),
            Self.frame(.findCoordinator, 2, FindCoordinatorRequest(key: "g", keyType: 0)),
        ]
    }
}
#endif
