extension BrokerCore {
    /// Fetch: answers at once when there are enough records or something is wrong, otherwise waits (KIP-74, KIP-98).
    mutating func fetch(_ request: FetchRequest, _ context: RequestContext, at now: BrokerTime) throws {
        if request.sessionID != 0 {
            self.outbox.reply(context.token, FetchResponse(errorCode: .fetchSessionIDNotFound))
            return
        }
        let poll = LongPoll(request: request, context: context)
        let (response, isDue) = try self.read(poll)
        if isDue || request.maxWaitMs <= 0 {
            self.outbox.reply(context.token, response)
            return
        }
        let count = self.longPolls.partitionCount + poll.partitionCount
        let limit = self.configuration.limits.waitingPartitions
        guard self.notices.allows(count - 1, of: "waiting partitions", limit: limit, at: now) else {
            self.outbox.reply(context.token, response)
            return
        }
        self.longPolls.add(poll)
        let wait = min(Int64(request.maxWaitMs), self.configuration.maxFetchWait.milliseconds)
        self.deadlines.add(.fetch(context.token), at: now.monotonic + wait)
    }

    /// Answers the long polls on changed partitions that now have enough records.
    mutating func wakePolls() throws {
        for token in self.longPolls.candidates(in: self.topics) {
            guard let poll = self.longPolls[token] else { continue }
            let (response, isDue) = try self.read(poll)
            guard isDue else { continue }
            self.forgetPoll(token)
            self.outbox.reply(token, response)
        }
    }

    /// Answers a long poll with the records that there are.
    mutating func endPoll(_ token: ReplyToken) throws {
        guard let poll = self.longPolls[token] else { return }
        self.forgetPoll(token)
        self.outbox.reply(token, try self.read(poll).response)
    }

    mutating func forgetPoll(_ token: ReplyToken) {
        if self.longPolls.remove(token) { self.deadlines.remove(.fetch(token)) }
    }

    private func read(_ poll: LongPoll) throws -> (response: FetchResponse, isDue: Bool) {
        try self.topics.read(poll.request, version: poll.context.version, room: self.outbox.room)
    }
}
