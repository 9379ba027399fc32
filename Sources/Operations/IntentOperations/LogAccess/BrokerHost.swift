package import EmbeddedBroker
internal import Foundation
package import Logging
internal import Telemetry

/// An embedded broker that this process runs on a data directory: it locks the directory and writes its address there
/// (contract, section 14).
package final class BrokerHost: Sendable {
    /// The address for connections from this machine.
    package let address: BrokerAddress
    private let data: DataDirectory
    private let lock: FileLock
    private let broker: EmbeddedBroker

    private init(address: BrokerAddress, data: DataDirectory, lock: FileLock, broker: EmbeddedBroker) {
        self.address = address
        self.data = data
        self.lock = lock
        self.broker = broker
    }

    /// Locks the directory, starts the broker and writes its address.
    ///
    /// - Parameters:
    ///   - data: The directory; created if it is missing.
    ///   - listen: The address to listen on; port 0 chooses a free one.
    ///   - advertisedHost: The advertised host; nil for the one that it listens on.
    ///   - logger: The broker's logger.
    ///   - configure: Sets the other settings.
    /// - Returns: The running broker.
    /// - Throws: ``OperationError``, `unavailable` when another process uses the directory or the port; `BrokerError`.
    package static func start(
        _ data: DataDirectory,
        listen: BrokerAddress,
        advertisedHost: String? = nil,
        logger: Logger,
        configure: (inout EmbeddedBroker.Configuration) -> Void = { _ in }
    ) async throws -> BrokerHost {
        try data.create(logger)
        let lock: FileLock
        switch try FileLock.acquire(data.brokerLock) {
        case .acquired(let acquired): lock = acquired
        case .held(let process):
            let address = Self.recordedAddress(data).map { " at \($0)" } ?? ""
            throw OperationError(
                .unavailable,
                "another intentd runs a broker on \(data.path)\(address)\(process.map { " (process \($0))" } ?? ""): "
                    + "stop it, choose another directory with --data, or use it with --brokers"
            )
        }
        var configuration = EmbeddedBroker.Configuration(path: data.brokerFile)
        configuration.host = listen.host
        configuration.port = listen.port
        configuration.advertisedHost = advertisedHost ?? (listen.local == listen ? nil : listen.local.host)
        configure(&configuration)
        let broker: EmbeddedBroker
        do {
            broker = try await EmbeddedBroker.start(configuration, logger: logger)
        } catch let error as BrokerError where error.code == .bind {
            throw OperationError(
                .unavailable,
                "\(error.message); is another program using that port? Choose another one with --listen HOST:PORT"
            )
        }
        let address = BrokerAddress(host: listen.host, port: broker.port).local
        do {
            try "\(address)\n".write(toFile: data.brokerAddress, atomically: true, encoding: .utf8)
        } catch {
            await broker.shutdown()
            throw OperationError(.unavailable, "cannot write \(data.brokerAddress): \(error.localizedDescription)")
        }
        if !listen.isLoopback {
            logger.warning(
                "The embedded broker has no authentication and no encryption: anyone who can reach it can read and write",
                metadata: [TelemetryKey.address: "\(BrokerAddress(host: listen.host, port: broker.port))"]
            )
        }
        return BrokerHost(address: address, data: data, lock: lock, broker: broker)
    }

    /// The broker's activity since its start.
    var statistics: EmbeddedBroker.Statistics { self.broker.statistics }

    /// Removes the address, then stops the broker.
    package func shutdown() async {
        unlink(self.data.brokerAddress)
        await self.broker.shutdown()
    }

    /// The address that a running broker has written; nil when there is none.
    ///
    /// A broker that was killed leaves its address behind, so it is not certain that a broker answers there.
    static func recordedAddress(_ data: DataDirectory) -> BrokerAddress? {
        guard let contents = FileManager.default.contents(atPath: data.brokerAddress) else { return nil }
        return BrokerAddress(String(decoding: contents, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
