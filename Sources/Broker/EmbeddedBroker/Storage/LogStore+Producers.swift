import Foundation
import GRDB
import NIOCore

extension LogStore {
    func dropProducer(_ producer: Int64, partition: Int64) throws {
        try self.execute("DELETE FROM producers WHERE partition = ? AND producer = ?", [partition, producer])
    }

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
            try state.readBatches(from: ByteBuffer(bytes: bytes))
            producers[row[0]] = state
        }
        return producers
    }
}

extension ProducerState {
    /// The batches as one SQLite value.
    var storedBatches: ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(24 * self.batches.count)
        var writer = WireWriter(bytes, isFlexible: false)
        for batch in self.batches {
            writer.write(batch.firstSequence)
            writer.write(batch.lastSequence)
            writer.write(batch.baseOffset)
            writer.write(batch.timestamp)
        }
        return writer.finish()
    }

    /// Reads the batches from an SQLite value.
    mutating func readBatches(from bytes: ByteBuffer) throws(WireError) {
        var reader = WireReader(bytes, isFlexible: false)
        while reader.remaining > 0 {
            self.batches.append(
                Appended(
                    firstSequence: try reader.int32(),
                    lastSequence: try reader.int32(),
                    baseOffset: try reader.int64(),
                    timestamp: try reader.int64()
                )
            )
        }
    }
}
