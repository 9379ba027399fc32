internal import IntentEvents
package import Logging
internal import ServiceLifecycle

/// The fourth group: reads every topic but `state`, and keeps what it reads exactly once (R39).
///
/// The store's own offsets say where to go on; those that the lane commits are for `intentd lag` only. Nothing on the
/// topics stops it. What goes wrong with the log or the store ends the lane, and a new one begins where the store is.
package struct Recorder: Service {
    private let log: any EventLog
    private let store: any RecordStore
    private let configuration: Configuration
    private let logger: Logger

    /// Makes a recorder; nothing is read until it runs.
    package init(log: any EventLog, store: any RecordStore, configuration: Configuration, logger: Logger) {
        self.log = log
        self.store = store
        self.configuration = configuration
        self.logger = logger
    }

    /// Records until its task is cancelled or its service group shuts down; the batch under way is finished.
    /// - Throws: ``RecordingError`` with `foreignRecords` when the store was filled from other topics; ``LogError`` with
    ///   `unreadableFormat` when a newer version has written what this one would misread.
    package func run() async throws {
        try await cancelWhenGracefulShutdown { try await self.record() }
    }

    private func record() async throws {
        var failures = 0
        while !Task.isCancelled {
            do {
                try await self.withLane { lane in
                    try await self.serve(lane) { failures = 0 }
                }
            } catch let error as RecordingError where error.code == .foreignRecords {
                throw error
            } catch let error as LogError where error.code == .unreadableFormat {
                throw error
            } catch {
                failures += 1
                let delay = self.configuration.retryDelay(after: failures)
                self.logger.warning(
                    "Recording was interrupted and begins again",
                    metadata: [
                        LogKey.error: "\(error)", LogKey.retryDelay: "\(delay)", LogKey.failures: "\(failures)",
                    ]
                )
                // Cancellation ends the pause, and then the loop.
                try? await self.configuration.clock.sleep(for: delay)
            }
        }
    }

    private func withLane(_ body: (any TransactionalLane) async throws -> Void) async throws {
        let lane = try await self.log.makeLane(self.configuration.lane)
        do {
            try await withTaskCancellationHandler {
                try await body(lane)
            } onCancel: {
                lane.wake()
            }
        } catch {
            await lane.close()
            throw error
        }
        await lane.close()
    }

    private func serve(_ lane: any TransactionalLane, onProgress: () -> Void) async throws {
        var claim = RecordClaim(epochs: [:], starts: [:])
        while !Task.isCancelled {
            let events = try await lane.poll(
                maxRecords: self.configuration.maxRecords,
                timeout: self.configuration.pollTimeout
            )
            for event in events {
                switch event {
                case .assigned(let partitions):
                    claim = try await self.claim(partitions.keys.sorted())
                    try await lane.start(at: claim.starts)
                case .revoked:
                    claim = RecordClaim(epochs: [:], starts: [:])
                    try await lane.release()
                case .records(let records):
                    guard !records.isEmpty else { continue }
                    for record in records where self.configuration.formats.concerns(record) {
                        guard let topic = Topic(name: record.topicPartition.topic, prefix: self.configuration.prefix)
                        else { continue }
                        try self.configuration.formats.check(record, on: topic)
                    }
                    let offsets = try await self.store.record(records, under: claim)
                    try await lane.commit(LaneCommit(records: [], offsets: offsets))
                    onProgress()
                }
            }
        }
    }

    /// Claims partitions, and compares where the store is with what the topics still hold.
    private func claim(_ partitions: [TopicPartition]) async throws -> RecordClaim {
        var claim = try await self.store.claim(partitions)
        let earliest = try await self.log.offsets(partitions, at: .earliest)
        let end = try await self.log.offsets(partitions, at: .end)
        for partition in partitions {
            guard let start = claim.starts[partition] ?? nil else { continue }
            if let end = end[partition], start > end {
                throw RecordingError(
                    .foreignRecords,
                    "The records hold \(partition) up to offset \(start), but the topic ends at \(end): "
                        + "they were made from other topics. Use another data directory, or move the file away."
                )
            }
            if let earliest = earliest[partition], start < earliest {
                self.logger.error(
                    "Retention has removed events before they were recorded",
                    metadata: [LogKey.partition: "\(partition)", LogKey.from: "\(start)", LogKey.to: "\(earliest)"]
                )
                claim.starts[partition] = earliest
            }
        }
        return claim
    }
}
