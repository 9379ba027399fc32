#if DEBUG || FUZZING
import NIOCore

@testable import EmbeddedBroker

extension InitProducerIDRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.transactionalID)
        writer.write(self.transactionTimeoutMs)
        if version >= 3 {
            writer.write(self.producerID)
            writer.write(self.producerEpoch)
        }
        writer.tags()
    }
}

extension AddPartitionsToTxnRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.transactionalID)
        writer.write(self.producerID)
        writer.write(self.producerEpoch)
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension AddPartitionsToTxnRequest.Topic: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.write(self.partitions)
        writer.tags()
    }
}

extension AddOffsetsToTxnRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.transactionalID)
        writer.write(self.producerID)
        writer.write(self.producerEpoch)
        writer.write(self.groupID)
        writer.tags()
    }
}

extension EndTxnRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.transactionalID)
        writer.write(self.producerID)
        writer.write(self.producerEpoch)
        writer.write(self.committed)
        writer.tags()
    }
}

extension TxnOffsetCommitRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.transactionalID)
        writer.write(self.groupID)
        writer.write(self.producerID)
        writer.write(self.producerEpoch)
        if version >= 3 {
            writer.write(self.generationID)
            writer.write(self.memberID)
            writer.write(self.groupInstanceID)
        }
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension TxnOffsetCommitRequest.Topic: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension TxnOffsetCommitRequest.Topic.Partition: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        writer.write(self.offset)
        if version >= 2 { writer.write(self.leaderEpoch) }
        writer.write(self.metadata)
        writer.tags()
    }
}
#endif
