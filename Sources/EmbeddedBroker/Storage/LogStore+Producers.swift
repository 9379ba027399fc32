import Foundation
import GRDB
import NIOCore

extension LogStore {
    /// Stores what a partition remembers of a producer.
    func save(_ state: ProducerState, producer: Int64, partition: Int64) throws {
        var writer = WireWriter(ByteBuffer(), isFlexible: false)
        for batch in state.batches {
            writer.write(batch.firstSequence)
            writer.write(batch.lastSequence)
            writer.write(batch.baseOffset)
            writer.write(batch.timestamp)
        }
        try self.beginWriting()
        self.saveProducer.bind(partition)
        self.saveProducer.bind(producer)
        self.saveProducer.bind(Int64(state.epoch))
        self.saveProducer.bind(state.openSince)
        self.saveProducer.bind(state.lastUsed)
        try self.saveProducer.run(with: writer.finish())
    }

    /// Forgets a producer.
    func dropProducer(_ producer: Int64, partition: Int64) throws {
        try self.execute("DELETE FROM producers WHERE partition = ? AND producer = ?", [partition, producer])
    }

    /// Reads what a partition remembers of its producers.
    func producers(partition: Int64) throws -> [Int64: ProducerState] {
        let rows = try Row.fetchAll(
            self.db,
            sql: "SELECT producer, epoch, open_since, last_used, batches FROM producers WHERE partition = ?",
            arguments: [partition]
        )
        var producers: [Int64: ProducerState] = [:]
        for row in rows {
            var state = ProducerState(epoch: row[1], lastUsed: row[3])
            state.openSince = row[2]
            let bytes: Data = row[4]
            var reader = WireReader(ByteBuffer(bytes: bytes), isFlexible: false)
            while reader.remaining > 0 {
                state.batches.append(
                    ProducerState.Appended(
                        firstSequence: try reader.int32(),
                        lastSequence: try reader.int32(),
                        baseOffset: try reader.int64(),
                        timestamp: try reader.int64()
                    )
                )
            }
            producers[row[0]] = state
        }
        return producers
    }
}
