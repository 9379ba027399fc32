import CRDKafka
import IntentRuntime
import Logging
import Synchronization
import Telemetry

/// What librdkafka's callbacks of one client write to; its opaque pointer.
///
/// The client keeps it alive until after the handle was destroyed, so that no callback finds it gone.
final class ClientContext: Sendable {
    /// A change that the group asks for.
    enum Rebalance {
        /// The group gave these partitions to this member.
        case assigned([TopicPartition])
        /// The group takes these partitions; `lost` when they are another's already.
        case revoked([TopicPartition], lost: Bool)
    }

    private struct State {
        var lastError: String?
        var rebalances: [Rebalance] = []
        var refusal: rd_kafka_resp_err_t?
        var isGivenUp = false
    }

    /// Where librdkafka's lines go.
    let logger: Logger
    /// The addresses that the client was given, for messages.
    let brokers: String
    private let state = Mutex(State())

    /// Makes a context that logs with the client's name.
    init(logger: Logger, brokers: [String], role: String) {
        var logger = logger
        logger[metadataKey: TelemetryKey.clientID] = "\(role)"
        self.logger = logger
        self.brokers = brokers.joined(separator: ",")
    }

    /// The context of a handle.
    static func of(_ opaque: UnsafeMutableRawPointer?) -> ClientContext? {
        opaque.map { Unmanaged<ClientContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// What the network last said, to be told when nothing answers.
    var lastError: String? {
        self.state.withLock { $0.lastError }
    }

    /// Keeps what the network said.
    func note(error: String) {
        self.state.withLock { $0.lastError = error }
    }

    /// Whether nobody uses the client any more; its threads may still try to reach a broker that is gone as well.
    var isGivenUp: Bool {
        self.state.withLock { $0.isGivenUp }
    }

    /// Notes that nobody uses the client any more.
    func giveUp() {
        self.state.withLock { $0.isGivenUp = true }
    }

    /// Keeps a change of assignment for the poll that is under way.
    func note(_ rebalance: Rebalance) {
        self.state.withLock { $0.rebalances.append(rebalance) }
    }

    /// Takes the changes noted so far.
    func drainRebalances() -> [Rebalance] {
        self.state.withLock { state in
            let taken = state.rebalances
            state.rebalances = []
            return taken
        }
    }

    /// Keeps the first reason for which a record was not written.
    func note(refusal: rd_kafka_resp_err_t) {
        self.state.withLock { state in
            if state.refusal == nil {
                state.refusal = refusal
            }
        }
    }

    /// Takes the first reason for which a record was not written.
    func popRefusal() -> rd_kafka_resp_err_t? {
        self.state.withLock { state in
            let taken = state.refusal
            state.refusal = nil
            return taken
        }
    }
}

extension ClientContext {
    /// The addresses that a handle's client was given, from within a callback.
    static func brokers(_ opaque: UnsafeMutableRawPointer?) -> String {
        self.of(opaque)?.brokers ?? ""
    }
}
