import NIOCore

@testable import EmbeddedBroker

/// What a `read_committed` consumer reads from one partition, from its first offset to the end.
struct PartitionView {
    var highWatermark: Int64 = -1
    var lastStable: Int64 = -1
    var keys: [String] = []
    var aborted: Set<AbortedTransaction> = []

    /// Reads it, with as many Fetches as the broker needs: Kafka returns no more than a segment's part for each.
    static func read(_ client: WireClient, _ topic: Name, _ partition: Int) async throws -> PartitionView {
        var view = PartitionView()
        var records = ByteBuffer()
        var offset: Int64 = 0
        while true {
            let fetch = FetchRequest.Topic.Partition(
                partition: Int32(partition),
                fetchOffset: offset,
                partitionMaxBytes: 16 << 20
            )
            let request = FetchRequest(
                minBytes: 0,
                maxBytes: 16 << 20,
                isolationLevel: 1,
                topics: [.init(topic: topic, partitions: [fetch])]
            )
            let answer = try await client.ask(.fetch, request, FetchResponse.self)
            guard let result = answer.responses.first?.partitions.first, result.errorCode == .none else {
                return PartitionView()
            }
            view.highWatermark = result.highWatermark
            view.lastStable = result.lastStableOffset
            for aborted in result.abortedTransactions ?? [] {
                view.aborted.insert(
                    AbortedTransaction(producerID: aborted.producerID, firstOffset: aborted.firstOffset, lastOffset: 0)
                )
            }
            var bytes = result.records.first ?? ByteBuffer()
            guard let last = Self.batches(in: bytes).last?.header.lastOffset, last >= offset else { break }
            records.writeBuffer(&bytes)
            offset = last + 1
        }
        view.keys = Self.keys(in: records, hiding: view.aborted.sorted { $0.firstOffset < $1.firstOffset })
        return view
    }

    private static func batches(in records: ByteBuffer) -> [RecordBatch] {
        var rest = records
        var batches: [RecordBatch] = []
        while let length = rest.getInteger(at: rest.readerIndex + 8, as: Int32.self),
            let bytes = rest.readSlice(length: Int(length) + RecordBatchHeader.lengthOverhead),
            let batch = RecordBatch(stored: bytes)
        { batches.append(batch) }
        return batches
    }

    /// The keys of the records that count, as consumers find them (KIP-98).
    private static func keys(
        in records: ByteBuffer,
        hiding aborted: [AbortedTransaction]
    ) -> [String] {
        var open = aborted[...]
        var hidden: Set<Int64> = []
        var keys: [String] = []
        for batch in Self.batches(in: records) {
            let producer = batch.header.producerID
            while let next = open.first, next.firstOffset <= batch.header.lastOffset {
                hidden.insert(next.producerID)
                open.removeFirst()
            }
            if batch.header.isControl {
                hidden.remove(producer)
            } else if !batch.header.isTransactional || !hidden.contains(producer) {
                keys += Record.records(in: batch)?.compactMap { $0.key.map { String(buffer: $0) } } ?? []
            }
        }
        return keys
    }
}
