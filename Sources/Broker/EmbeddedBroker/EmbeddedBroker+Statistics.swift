import Connections

extension EmbeddedBroker {
    /// The activity of a broker since its start.
    package struct Statistics: Hashable, Sendable {
        /// Connections that are open now.
        package var connections = 0
        /// Requests that were read.
        package var requests = 0
        /// Their bytes, without their lengths.
        package var receivedBytes = 0
        /// Bytes of answers.
        package var sentBytes = 0
        /// Transactions that were committed.
        package var commits = 0
        /// Transactions that were aborted, by their producers or by the broker.
        package var aborts = 0

        package init() {}
    }

    /// The activity so far; may be read on any thread.
    package var statistics: Statistics {
        var statistics = self.activity.statistics
        statistics.connections = self.connections.count
        return statistics
    }
}
