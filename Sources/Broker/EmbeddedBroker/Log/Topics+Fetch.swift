import NIOCore

extension Topics {
    /// Reads what a Fetch asks for, within its limits and the room for records.
    ///
    /// - Returns: The response, and whether it has enough records or reports an error.
    func read(
        _ request: FetchRequest,
        version: Int16,
        room: Int
    ) throws -> (response: FetchResponse, isDue: Bool) {
        var response = FetchResponse()
        var budget = min(Int(max(request.maxBytes, 0)), self.configuration.maxFetchBytes, room)
        var size = 0
        var hasError = false
        for topic in request.topics {
            var results = FetchResponse.Topic(topic: topic.topic)
            results.partitions.reserveCapacity(topic.partitions.count)
            let logs = self[topic.topic]?.partitions ?? []
            for partition in topic.partitions {
                let result = try self.read(
                    partition,
                    of: logs[safely: partition.partition],
                    request,
                    version: version,
                    budget: budget,
                    mustProgress: size == 0 && room > 0
                )
                let bytes = result.byteCount
                size += bytes
                budget -= bytes
                if result.errorCode != .none { hasError = true }
                results.partitions.append(result)
            }
            response.responses.append(results)
        }
        return (response, hasError || size >= Int(request.minBytes))
    }

    private func read(
        _ partition: FetchRequest.Topic.Partition,
        of log: PartitionLog?,
        _ request: FetchRequest,
        version: Int16,
        budget: Int,
        mustProgress: Bool
    ) throws -> FetchResponse.Topic.Partition {
        var result = FetchResponse.Topic.Partition(partitionIndex: partition.partition)
        guard let log else {
            result.errorCode = .unknownTopicOrPartition
            result.highWatermark = -1
            return result
        }
        result.highWatermark = log.endOffset
        result.lastStableOffset = log.lastStableOffset
        result.logStartOffset = log.startOffset
        if partition.currentLeaderEpoch > 0 {
            result.errorCode = .unknownLeaderEpoch
            return result
        }
        let offset = partition.fetchOffset
        guard offset >= log.startOffset, offset <= log.endOffset else {
            result.errorCode = .offsetOutOfRange
            return result
        }
        let isCommittedOnly = request.isolationLevel == 1
        let limit = isCommittedOnly ? result.lastStableOffset : log.endOffset
        if isCommittedOnly { result.abortedTransactions = [] }
        guard offset < limit, mustProgress || budget > 0 else { return result }
        if version < 4 {
            // These versions cannot read message format 2, and there is no other (KIP-98).
            result.errorCode = .unsupportedVersion
            return result
        }
        let maxBytes = min(Int(max(partition.partitionMaxBytes, 0)), max(budget, 0))
        let batches =
            try log.cache.read(from: offset, upTo: limit, maxBytes: maxBytes)
            ?? self.store.batches(partition: log.id, from: offset, upTo: limit, maxBytes: maxBytes)
        guard let last = batches.last else { return result }
        // Only the first partition of a response may exceed the limits, so that every consumer makes progress.
        if !mustProgress, batches.count == 1, last.size > maxBytes { return result }
        result.records = batches.map(\.bytes)
        if isCommittedOnly {
            result.abortedTransactions = log.aborted(from: offset, upTo: last.header.lastOffset + 1)
                .map {
                    .init(producerID: $0.producerID, firstOffset: $0.firstOffset)
                }
        }
        return result
    }
}
