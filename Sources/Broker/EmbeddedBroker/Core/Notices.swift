/// The notices that wait to be logged.
struct Notices {
    private(set) var pending: [BrokerNotice] = []
    /// The time of the last notice of each kind, on the monotonic clock.
    private var times: [BrokerNotice.Kind: Int64] = [:]

    /// Adds a notice, unless a similar one was added a moment ago.
    mutating func add(_ notice: BrokerNotice, at now: BrokerTime) {
        if let last = self.times[notice.kind], now.monotonic - last < 10_000 { return }
        self.times[notice.kind] = now.monotonic
        self.pending.append(notice)
    }

    /// Whether there are fewer of something than the limit; if not, a notice is added.
    mutating func allows(_ count: Int, of what: String, limit: Int, at now: BrokerTime) -> Bool {
        if count < limit { return true }
        self.add(.limitReached(what, limit: limit), at: now)
        return false
    }

    mutating func drain() -> [BrokerNotice] {
        defer { self.pending = [] }
        return self.pending
    }
}
