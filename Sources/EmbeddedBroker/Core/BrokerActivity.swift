import Synchronization

/// What a broker has done since it was started; counted on its thread, read on any.
final class BrokerActivity: Sendable {
    private let counts = Mutex(EmbeddedBroker.Statistics())

    /// What was counted.
    var statistics: EmbeddedBroker.Statistics { self.counts.withLock(\.self) }

    /// Counts requests that came, with their bytes.
    func received(_ requests: Int, bytes: Int) {
        self.counts.withLock { counts in
            counts.requests += requests
            counts.receivedBytes += bytes
        }
    }

    /// Counts answers that were written.
    func sent(bytes: Int) { self.counts.withLock { $0.sentBytes += bytes } }

    /// Counts transactions that have ended, once that is in the file.
    func ended(_ transactions: BrokerCore.EndedTransactions) {
        self.counts.withLock { counts in
            counts.commits += transactions.commits
            counts.aborts += transactions.aborts
        }
    }
}
