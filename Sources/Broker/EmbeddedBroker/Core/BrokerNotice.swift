import Logging
import Telemetry

/// Something that an operator should know.
enum BrokerNotice: Sendable, Hashable {
    /// A producer asked for a transaction time-out above the maximum; both in milliseconds.
    case timeoutShortened(Name, asked: Int64, given: Int64)
    /// A transaction timed out, after this many milliseconds, and was aborted.
    case transactionAborted(Name, partitions: [TopicPartition], after: Int64)
    /// A client wanted more of something than the limit allows.
    case limitReached(String, limit: Int)

    /// Notices of one kind are logged only once in a while, since a client can cause them at will.
    enum Kind: Sendable, Hashable {
        case timeoutShortened
        case transactionAborted
        /// ``BrokerNotice/limitReached(_:limit:)``, of one limit.
        case limitReached(String)
    }

    var kind: Kind {
        switch self {
        case .timeoutShortened: .timeoutShortened
        case .transactionAborted: .transactionAborted
        case .limitReached(let what, _): .limitReached(what)
        }
    }

    func log(_ logger: Logger) {
        switch self {
        case .timeoutShortened(let name, let asked, let given):
            logger.notice(
                "A producer requested a transaction timeout above broker.transactionMaxTimeout",
                metadata: [
                    TelemetryKey.transaction: "\(name)", TelemetryKey.transactionTimeoutAsked: "\(asked) ms",
                    TelemetryKey.transactionTimeout: "\(given) ms",
                ]
            )
        case .transactionAborted(let name, let partitions, let after):
            let names = partitions.prefix(10).map { "\($0.topic)/\($0.partition)" }.joined(separator: ", ")
            logger.warning(
                "Aborted a transaction that exceeded its timeout; it blocked readers of its partitions",
                metadata: [
                    TelemetryKey.transaction: "\(name)", TelemetryKey.partitions: "\(names)",
                    TelemetryKey.transactionAge: "\(after) ms",
                ]
            )
        case .limitReached(let what, let limit):
            logger.warning(
                "Refused a client: a limit of the embedded broker is reached",
                metadata: [TelemetryKey.limit: "\(what)", TelemetryKey.limitValue: "\(limit)"]
            )
        }
    }
}
