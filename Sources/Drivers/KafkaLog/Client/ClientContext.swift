import CRDKafka
import IntentEvents
import IntentRuntime
import Logging
import Synchronization
import Telemetry

/// The target of one client's librdkafka callbacks; its opaque pointer.
///
/// The client keeps it alive until the handle has been destroyed, so that it exists during every callback.
final class ClientContext: Sendable {
    /// A change that the group requests.
    enum Rebalance {
        /// The group assigned these partitions to this member.
        case assigned([TopicPartition])
        /// The group revokes these partitions; `lost` when another member owns them already.
        case revoked([TopicPartition], lost: Bool)
    }

    private struct State {
        var lastError: String?
        var failedAt: ContinuousClock.Instant?
        var rebalances: [Rebalance] = []
        var refusal: rd_kafka_resp_err_t?
        var isGivenUp = false
    }

    /// The logger for librdkafka's lines.
    let logger: Logger
    /// The client's broker addresses, for messages.
    let brokers: String
    /// Reports the client's statistics; nil if they are not wanted.
    let metrics: ClientMetrics?
    private let state = Mutex(State())

    init(logger: Logger, brokers: [String], role: String, metrics: ClientMetrics? = nil) {
        var logger = logger
        self.metrics = metrics
        logger[metadataKey: TelemetryKey.clientID] = "\(role)"
        self.logger = logger
        self.brokers = brokers.joined(separator: ",")
    }

    /// The context of a client; one of a lane reports its statistics, if they are wanted.
    convenience init(_ configuration: KafkaLog.Configuration, role: String, of lane: LaneName? = nil) {
        let metrics = lane.flatMap { lane in
            configuration.metrics.map { ClientMetrics($0, lane: lane.text, client: role) }
        }
        self.init(logger: configuration.logger, brokers: configuration.brokers, role: role, metrics: metrics)
    }

    static func of(_ opaque: UnsafeMutableRawPointer?) -> ClientContext? {
        opaque.map { Unmanaged<ClientContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The last network error, for the message when no broker answers.
    var lastError: String? { self.state.withLock { $0.lastError } }

    /// The time for which a network error explains others: librdkafka repeats equal ones every 30 s only.
    private static let explainedFor = Duration.seconds(60)

    /// Whether a connection has failed a short while ago.
    var hasFailedLately: Bool { self.state.withLock { $0.failedAt.map { .now - $0 < Self.explainedFor } ?? false } }

    /// Keeps a network error.
    func record(error: String) {
        self.state.withLock { state in
            state.lastError = error
            state.failedAt = .now
        }
    }

    /// Whether the client is no longer used; its threads may still try to reach a broker that is down as well.
    var isGivenUp: Bool { self.state.withLock { $0.isGivenUp } }

    /// Records that the client is no longer used.
    func giveUp() {
        self.state.withLock { $0.isGivenUp = true }
        self.metrics?.end()
    }

    /// Keeps a change of assignment for the current poll.
    func record(_ rebalance: Rebalance) { self.state.withLock { $0.rebalances.append(rebalance) } }

    /// Removes and returns the changes noted so far.
    func drainRebalances() -> [Rebalance] {
        self.state.withLock { state in
            defer { state.rebalances = [] }
            return state.rebalances
        }
    }

    /// Keeps the first reason why a record was not written.
    func record(refusal: rd_kafka_resp_err_t) {
        self.state.withLock { state in
            if state.refusal == nil {
                state.refusal = refusal
            }
        }
    }

    /// Removes and returns the first reason why a record was not written.
    func popRefusal() -> rd_kafka_resp_err_t? { self.state.withLock { $0.refusal.take() } }
}
