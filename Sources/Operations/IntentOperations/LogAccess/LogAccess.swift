package import IntentRuntime
internal import Logging

/// The log that a command works on: a Kafka, a running embedded broker, or one of its own.
package struct LogAccess: Sendable {
    package let log: any EventLog
    /// The addresses of its brokers.
    package let brokers: [String]
    /// The embedded broker that this process runs; nil when it runs none.
    package let host: BrokerHost?
    /// Whether it is the embedded broker on the data directory, this process's or another's.
    let isEmbedded: Bool

    /// Finds the log: the named brokers, or the embedded broker that runs on the data directory.
    /// - Throws: ``OperationError``, `unavailable` when there is neither.
    package static func find(_ configuration: Configuration) throws(OperationError) -> LogAccess {
        if !configuration.brokers.isEmpty { return Self.remote(configuration) }
        let data = configuration.data
        let start = "start one with `intentd up` or `intentd broker`, or name a Kafka broker with --brokers HOST:PORT"
        guard let address = BrokerHost.recordedAddress(data) else {
            throw OperationError(.unavailable, "no broker runs on the data directory \(data.path): \(start)")
        }
        guard address.isReachable else {
            throw OperationError(
                .unavailable,
                "the broker on the data directory \(data.path) no longer answers at \(address): \(start)"
            )
        }
        let brokers = [address.description]
        return LogAccess(log: configuration.kafkaLog(brokers: brokers), brokers: brokers, host: nil, isEmbedded: true)
    }

    /// Connects to the named brokers, or starts an embedded one on the data directory.
    ///
    /// - Throws: ``OperationError``, `unavailable` when the directory or the port is in use; `BrokerError`.
    package static func start(_ configuration: Configuration, listen: BrokerAddress?) async throws -> LogAccess {
        if !configuration.brokers.isEmpty {
            guard listen == nil else {
                throw OperationError(
                    .usage,
                    "--listen is for the embedded broker, but brokers are named "
                        + "(\(configuration.entry(.brokers)?.origin.description ?? "")): use one or the other"
                )
            }
            return Self.remote(configuration)
        }
        let host = try await BrokerHost.start(
            configuration.data,
            listen: listen ?? .anyLoopbackPort,
            logger: configuration.logger("intentd.broker"),
            configure: configuration.apply(to:)
        )
        let brokers = [host.address.description]
        return LogAccess(log: configuration.kafkaLog(brokers: brokers), brokers: brokers, host: host, isEmbedded: true)
    }

    private static func remote(_ configuration: Configuration) -> LogAccess {
        let brokers = configuration.brokers
        return LogAccess(log: configuration.kafkaLog(brokers: brokers), brokers: brokers, host: nil, isEmbedded: false)
    }

    /// Closes the log, and stops the broker if this process runs it.
    package func close() async {
        await self.log.close()
        await self.host?.shutdown()
    }

    /// Works on the log, and closes it in any case.
    package func use<Value>(_ body: (any EventLog) async throws -> Value) async throws -> Value {
        do {
            let value = try await body(self.log)
            await self.close()
            return value
        } catch {
            await self.close()
            throw error
        }
    }
}
