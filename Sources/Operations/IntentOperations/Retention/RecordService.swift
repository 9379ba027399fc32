internal import IntentRecords
internal import IntentRuntime
internal import Logging
internal import ServiceLifecycle
internal import Telemetry

/// The recorder with its database as a service; it waits while another process uses the file (R39).
struct RecordService: Service {
    let log: any EventLog
    /// The record database's file.
    let path: String
    let pruner: RecordPruner
    let configuration: Recorder.Configuration
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            guard let database = try await self.open() else { return }
            do {
                let recorder = Recorder(
                    log: self.log,
                    store: database,
                    configuration: self.configuration,
                    logger: self.logger
                )
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await recorder.run() }
                    group.addTask { await self.pruner.run(database) }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            } catch is CancellationError {
                // It is shutting down.
            } catch {
                await database.close()
                throw error
            }
            await database.close()
        }
    }

    /// Opens the file, or waits until its holder releases it; nil when shutting down meanwhile.
    private func open() async throws -> RecordDatabase? {
        let prefix = self.configuration.prefix
        do {
            if let database = try await RecordDatabase.openIfFree(at: self.path, prefix: prefix) { return database }
            self.configuration.health?.enter(.standby)
            self.logger.info(
                "Another recorder holds the database; waiting for it to stop",
                metadata: [TelemetryKey.path: "\(self.path)"]
            )
            return try await RecordDatabase.open(at: self.path, prefix: prefix)
        } catch is CancellationError {
            return nil
        }
    }
}
