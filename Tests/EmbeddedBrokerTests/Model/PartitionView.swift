import NIOCore

@testable import EmbeddedBroker

/// What a `read_committed` consumer makes of one partition, from its first offset to the end.
struct PartitionView {
    var highWatermark: Int64 = -1
    var lastStable: Int64 = -1
    var keys: [String] = []
    var aborted: Set<AbortedTransaction> = []

    /// Reads it with one Fetch.
    static func read(_ client: WireClient, _ topic: String, _ partition: Int) async throws -> PartitionView {
        let request = FetchRequest(
            minBytes: 0,
            maxBytes: 16 << 20,
            isolationLevel: 1,
            topics: [.init(topic: topic, partitions: [.init(partition: Int32(partition), partitionMaxBytes: 16 << 20)])]
        )
        let answer = try await client.ask(.fetch, request, FetchResponse.self)
        guard let result = answer.responses.first?.partitions.first, result.errorCode == .none else {
            return PartitionView()
        }
        var view = PartitionView(highWatermark: result.highWatermark, lastStable: result.lastStableOffset)
        let aborted = (result.abortedTransactions ?? []).sorted { $0.firstOffset < $1.firstOffset }
        view.aborted = Set(
            aborted.map { AbortedTransaction(producerID: $0.producerID, firstOffset: $0.firstOffset, lastOffset: 0) }
        )
        view.keys = Self.keys(in: result.records.first ?? ByteBuffer(), hiding: aborted)
        return view
    }

    /// The keys of the records that count, as consumers find them (KIP-98).
    private static func keys(
        in records: ByteBuffer,
        hiding aborted: [FetchResponse.Topic.Partition.Aborted]
    ) -> [String] {
        var rest = records
        var open = aborted[...]
        var hidden: Set<Int64> = []
        var keys: [String] = []
        while let length = rest.getInteger(at: rest.readerIndex + 8, as: Int32.self),
            let bytes = rest.readSlice(length: Int(length) + RecordBatchHeader.lengthOverhead),
            let batch = RecordBatch(stored: bytes)
        {
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
