import NIOCore

extension BrokerCore {
    /// Fetch: answers at once when there are enough records or something is wrong, otherwise waits (KIP-74, KIP-98).
    mutating func fetch(_ request: FetchRequest, _ context: RequestContext, at now: BrokerTime) throws {
        if request.sessionID != 0 {
            self.reply(context.token, FetchResponse(errorCode: .fetchSessionIDNotFound))
            return
        }
        let (response, isDue) = try self.read(request, context)
        if isDue || request.maxWaitMs <= 0 {
            self.reply(context.token, response)
            return
        }
        let places = request.topics.reduce(0) { $0 + $1.partitions.count }
        let limit = self.configuration.limits.waitingPartitions
        guard self.allows(self.waitingPartitions + places - 1, of: "waiting partitions", limit: limit, at: now) else {
            self.reply(context.token, response)
            return
        }
        self.waitingPartitions += places
        let wait = min(Int64(request.maxWaitMs), self.configuration.maxFetchWait.milliseconds)
        let deadline = now.monotonic + wait
        self.fetches[context.token] = LongPoll(request: request, context: context, deadline: deadline)
        for topic in request.topics {
            for partition in topic.partitions {
                let place = TopicPartition(topic: topic.topic, partition: partition.partition)
                let offset = partition.fetchOffset
                self.waiting[place, default: [:]].merge([context.token: offset], uniquingKeysWith: min)
            }
        }
        self.deadlines.add(.fetch(context.token), at: deadline)
    }

    /// Answers the long polls on changed partitions that now have enough records.
    mutating func wakePolls() throws {
        guard !self.fetches.isEmpty else { return }
        var candidates: Set<ReplyToken> = []
        for place in self.touchedPartitions {
            guard let tokens = self.waiting[place] else { continue }
            guard let log = self.topics[place.topic]?.partitions[safely: place.partition] else {
                candidates.formUnion(tokens.keys)
                continue
            }
            let stable = log.lastStableOffset
            for (token, offset) in tokens {
                guard let poll = self.fetches[token] else { continue }
                // Records that nobody may see yet wake no poll; an offset below the log's start is an error.
                let limit = poll.request.isolationLevel == 1 ? stable : log.endOffset
                if offset < limit || offset < log.startOffset { candidates.insert(token) }
            }
        }
        for token in candidates {
            guard let poll = self.fetches[token] else { continue }
            let (response, isDue) = try self.read(poll.request, poll.context)
            guard isDue else { continue }
            self.forgetPoll(token)
            self.reply(token, response)
        }
    }

    /// Answers a long poll with the records that there are.
    mutating func endPoll(_ token: ReplyToken) throws {
        guard let poll = self.fetches[token] else { return }
        self.forgetPoll(token)
        self.reply(token, try self.read(poll.request, poll.context).response)
    }

    mutating func forgetPoll(_ token: ReplyToken) {
        guard let poll = self.fetches.removeValue(forKey: token) else { return }
        self.deadlines.remove(.fetch(token))
        self.waitingPartitions -= poll.request.topics.reduce(0) { $0 + $1.partitions.count }
        for topic in poll.request.topics {
            for partition in topic.partitions {
                let place = TopicPartition(topic: topic.topic, partition: partition.partition)
                self.waiting[place]?[token] = nil
                if self.waiting[place]?.isEmpty == true { self.waiting[place] = nil }
            }
        }
    }

    private func read(
        _ request: FetchRequest,
        _ context: RequestContext
    ) throws -> (response: FetchResponse, isDue: Bool) {
        var response = FetchResponse()
        let room = max(0, self.fetchAllowance - self.outboxBytes)
        var budget = min(Int(max(request.maxBytes, 0)), self.configuration.maxFetchBytes, room)
        var size = 0
        var hasError = false
        for topic in request.topics {
            var results = FetchResponse.Topic(topic: topic.topic)
            results.partitions.reserveCapacity(topic.partitions.count)
            let logs = self.topics[topic.topic]?.partitions ?? []
            for partition in topic.partitions {
                let result = try self.read(
                    partition,
                    of: logs[safely: partition.partition],
                    request,
                    context,
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
        _ context: RequestContext,
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
        if context.version < 4 {
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
