import Synchronization

/// Counts a broker's activity since its start; counted on the broker's thread, read on any.
final class BrokerActivity: Sendable {
    private let counts = Mutex(EmbeddedBroker.Statistics())

    var statistics: EmbeddedBroker.Statistics { self.counts.withLock(\.self) }

    /// Counts requests that were received, with their bytes.
    func received(_ requests: Int, bytes: Int) {
        self.counts.withLock { counts in
            counts.requests += requests
            counts.receivedBytes += bytes
        }
    }

    /// Counts answers that were written.
    func sent(bytes: Int) { self.counts.withLock { $0.sentBytes += bytes } }

    /// Counts transactions that have ended, once the file has them.
    func ended(_ transactions: Transactions.Ended) {
        self.counts.withLock { counts in
            counts.commits += transactions.commits
            counts.aborts += transactions.aborts
        }
    }
}
