#if DEBUG || FUZZING
import NIOCore

@testable import EmbeddedBroker

// What a client writes: the requests that the tests send over the wire, in the versions in which they send them.

extension CreateTopicsRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.array(self.topics, version: version)
        writer.write(self.timeoutMs)
        if version >= 1 { writer.write(self.validateOnly) }
        writer.tags()
    }
}

extension CreateTopicsRequest.Topic: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.write(self.numPartitions)
        writer.write(self.replicationFactor)
        writer.array([Nothing]?.some([]), version: version)
        writer.array(self.configs, version: version)
        writer.tags()
    }
}

extension CreateTopicsRequest.Topic.Config: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.write(self.value)
        writer.tags()
    }
}

/// An element of arrays that are always empty.
private struct Nothing: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {}
}

extension DeleteTopicsRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.topicNames as [Name]?)
        writer.write(self.timeoutMs)
        writer.tags()
    }
}

extension ProduceRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 3 { writer.write(self.transactionalID) }
        writer.write(self.acks)
        writer.write(self.timeoutMs)
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension ProduceRequest.Topic: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension ProduceRequest.Topic.Partition: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.index)
        writer.write(self.records)
        writer.tags()
    }
}

extension FetchRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.replicaID)
        writer.write(self.maxWaitMs)
        writer.write(self.minBytes)
        writer.write(self.maxBytes)
        writer.write(self.isolationLevel)
        if version >= 7 {
            writer.write(self.sessionID)
            writer.write(self.sessionEpoch)
        }
        writer.array(self.topics, version: version)
        if version >= 7 { writer.array([Nothing]?.some([]), version: version) }
        if version >= 11 { writer.write(self.rackID) }
        writer.tags()
    }
}

extension FetchRequest.Topic: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.topic)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension FetchRequest.Topic.Partition: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partition)
        if version >= 9 { writer.write(self.currentLeaderEpoch) }
        writer.write(self.fetchOffset)
        if version >= 12 { writer.write(self.lastFetchedEpoch) }
        if version >= 5 { writer.write(self.logStartOffset) }
        writer.write(self.partitionMaxBytes)
        writer.tags()
    }
}

extension ListOffsetsRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.replicaID)
        writer.write(self.isolationLevel)
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension ListOffsetsRequest.Topic: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.array(self.partitions, version: version)
        writer.tags()
    }
}

extension ListOffsetsRequest.Topic.Partition: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.partitionIndex)
        if version >= 4 { writer.write(self.currentLeaderEpoch) }
        writer.write(self.timestamp)
        writer.tags()
    }
}

extension FindCoordinatorRequest: WireEncodable {
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.key)
        if version >= 1 { writer.write(self.keyType) }
        writer.tags()
    }
}
#endif
