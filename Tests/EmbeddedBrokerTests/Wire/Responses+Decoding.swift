import NIOCore

@testable import EmbeddedBroker

// What a client reads: the responses to the requests that the tests send over the wire.

extension CreateTopicsResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        _ = try reader.int32()
        self.topics = try reader.array(of: Topic.self, version: version)
    }
}

extension CreateTopicsResponse.Topic: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.errorCode = try reader.errorCode()
        self.errorMessage = try reader.nullableString()
    }
}

extension ProduceResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.responses = try reader.array(of: Topic.self, version: version)
        self.throttleTimeMs = try reader.int32()
    }
}

extension ProduceResponse.Topic: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
    }
}

extension ProduceResponse.Topic.Partition: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.index = try reader.int32()
        self.errorCode = try reader.errorCode()
        self.baseOffset = try reader.int64()
        self.logAppendTimeMs = try reader.int64()
        self.logStartOffset = try reader.int64()
    }
}

extension FetchResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.errorCode = try reader.errorCode()
        self.sessionID = try reader.int32()
        self.responses = try reader.array(of: Topic.self, version: version)
    }
}

extension FetchResponse.Topic: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.topic = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
    }
}

extension FetchResponse.Topic.Partition: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        self.errorCode = try reader.errorCode()
        self.highWatermark = try reader.int64()
        self.lastStableOffset = try reader.int64()
        self.logStartOffset = try reader.int64()
        self.abortedTransactions = try reader.nullableArray(of: Aborted.self, version: version)
        self.preferredReadReplica = try reader.int32()
        self.records = try reader.nullableBytes().map { [$0] } ?? []
    }
}

extension FetchResponse.Topic.Partition.Aborted: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.producerID = try reader.int64()
        self.firstOffset = try reader.int64()
    }
}

extension FindCoordinatorResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        _ = try reader.int32()
        self.errorCode = try reader.errorCode()
    }
}

extension InitProducerIDResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.errorCode = try reader.errorCode()
        self.producerID = try reader.int64()
        self.producerEpoch = try reader.int16()
    }
}

extension AddPartitionsToTxnResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.topics = try reader.array(of: Topic.self, version: version)
    }
}

extension AddPartitionsToTxnResponse.Topic: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension AddPartitionsToTxnResponse.Topic.Partition: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        self.errorCode = try reader.errorCode()
        try reader.tags()
    }
}

extension AddOffsetsToTxnResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.errorCode = try reader.errorCode()
    }
}

extension EndTxnResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.errorCode = try reader.errorCode()
    }
}

extension TxnOffsetCommitResponse: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.throttleTimeMs = try reader.int32()
        self.topics = try reader.array(of: Topic.self, version: version)
    }
}

extension TxnOffsetCommitResponse.Topic: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension TxnOffsetCommitResponse.Topic.Partition: WireDecodable {
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        self.errorCode = try reader.errorCode()
        try reader.tags()
    }
}
