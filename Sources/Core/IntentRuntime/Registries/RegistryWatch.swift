package import IntentEvents
internal import IntentKit
package import Logging
internal import Telemetry

/// Announces this worker's registry to the other workers of a stage, and reports theirs if they differ (R15).
///
/// Each worker keeps one entry on `state`, `//registry/<stage>/<worker>`, in partition 0. Workers of versions that know
/// nothing of such entries ignore them. An entry is written when it is missing, has changed, or has become old, and so
/// not at every start. An entry that has not been renewed for a while belongs to a departed worker, and is removed.
package struct RegistryWatch: Sendable {
    package struct Configuration: Sendable {
        package var stage: Stage
        package var worker: String
        /// This worker's registry.
        package var digest: RegistryDigest
        /// How often entries are renewed and compared; an entry three times as old is removed.
        package var interval: Duration = .seconds(600)

        package init(stage: Stage, worker: String, digest: RegistryDigest) {
            self.stage = stage
            self.worker = worker
            self.digest = digest
        }
    }

    /// An entry as it was read.
    private struct Announcement {
        var digest: RegistryDigest
        var at: Timestamp
    }

    private let configuration: Configuration
    private let log: any EventLog
    private let topicPartition: TopicPartition
    private let clock: any RuntimeClock
    private let logger: Logger

    /// Makes a watch; nothing is read or written until it runs.
    package init(
        _ configuration: Configuration,
        deployment: Deployment,
        log: any EventLog,
        clock: any RuntimeClock = SystemRuntimeClock(),
        logger: Logger
    ) {
        self.configuration = configuration
        self.log = log
        self.topicPartition = deployment.topicPartition(.state, 0)
        self.clock = clock
        self.logger = logger
    }

    /// Watches until the task is cancelled; no error here stops a worker.
    package func run() async {
        var known: [String: Announcement] = [:]
        var position: Int64?
        var reported: [String: RegistryDigest] = [:]
        while !Task.isCancelled {
            do throws(LogError) {
                position = try await self.poll(from: position, &known, &reported)
            } catch {
                self.logger.info(
                    "Could not read the registries of the other workers",
                    metadata: [TelemetryKey.errorMessage: "\(error)"]
                )
            }
            try? await self.clock.sleep(for: self.configuration.interval)
        }
    }

    /// Reads new entries, renews its own, and compares.
    ///
    /// Its own entry is written before the last look at the topic, so of two workers that start together, one sees the
    /// other.
    private func poll(
        from last: Int64?,
        _ known: inout [String: Announcement],
        _ reported: inout [String: RegistryDigest]
    ) async throws(LogError) -> Int64 {
        let cutoff = self.clock.now + -3 * self.configuration.interval.milliseconds
        let start = if let last { last } else { try await self.start(cutoff) }
        var position = try await self.read(from: start, &known)
        let renewed = self.clock.now + -self.configuration.interval.milliseconds
        let own = known[self.configuration.worker]
        var writes: [String: JSONValue?] = [:]
        if own?.digest != self.configuration.digest || own?.at ?? renewed <= renewed {
            var entry = self.configuration.digest.json.object ?? [:]
            entry["at"] = .integer(self.clock.now.milliseconds)
            writes[self.configuration.worker] = .object(entry)
        }
        for (worker, announcement) in known where announcement.at < cutoff && worker != self.configuration.worker {
            writes[worker] = .some(nil)
        }
        if !writes.isEmpty {
            try await self.write(writes)
            position = try await self.read(from: position, &known)
        }
        for (worker, announcement) in known.sorted(by: { $0.key < $1.key })
        where worker != self.configuration.worker && reported[worker] != announcement.digest {
            reported[worker] = announcement.digest
            let differences = self.configuration.digest.differences(from: announcement.digest)
            guard !differences.isEmpty else { continue }
            self.logger.error(
                "Two workers of one group have different registries: the result of a request depends on the worker that gets it",
                metadata: [
                    TelemetryKey.worker: "\(self.configuration.worker)", TelemetryKey.otherWorker: "\(worker)",
                    TelemetryKey.stage: "\(self.configuration.stage.rawValue)",
                    TelemetryKey.intents: "\(differences.prefix(20).joined(separator: ", "))",
                    TelemetryKey.otherSeen: "\(announcement.at)",
                ]
            )
        }
        return position
    }

    /// Where the entries of live workers begin.
    ///
    /// Timestamps are the writers' own, so there is a margin.
    private func start(_ cutoff: Timestamp) async throws(LogError) -> Int64 {
        let time = cutoff + -3 * self.configuration.interval.milliseconds
        return try await self.log.offsets([self.topicPartition], at: .time(time.milliseconds))[self.topicPartition] ?? 0
    }

    private func read(
        from start: Int64,
        _ known: inout [String: Announcement]
    ) async throws(LogError) -> Int64 {
        let end = try await self.log.offsets([self.topicPartition], at: .lastStable)[self.topicPartition] ?? start
        guard start < end else { return start }
        let prefix = self.key("")
        let reader = try await self.log.makeReader(from: [self.topicPartition: start])
        var position = start
        do throws(LogError) {
            while position < end {
                let batch = try await reader.next(maxRecords: 10_000, timeout: .seconds(1))
                for record in batch.records where record.key?.starts(with: prefix) ?? false {
                    let worker = String(decoding: record.key?.dropFirst(prefix.count) ?? [], as: UTF8.self)
                    let json = record.value.flatMap { try? JSONValue(parsing: $0) }
                    if let json, let digest = RegistryDigest(json: json), let at = json["at"]?.integer {
                        known[worker] = Announcement(digest: digest, at: Timestamp(milliseconds: at))
                    } else {
                        known[worker] = nil
                    }
                }
                position = max(position, batch.positions[self.topicPartition] ?? position)
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
        return position
    }

    private func write(_ entries: [String: JSONValue?]) async throws(LogError) {
        try await self.log.write(
            entries.sorted { $0.key < $1.key }
                .map { OutgoingRecord(topicPartition: self.topicPartition, key: self.key($0), value: $1?.utf8) }
        )
    }

    private func key(_ worker: String) -> [UInt8] {
        StateKey(stage: nil, user: "", name: StateName("registry/\(self.configuration.stage.rawValue)/\(worker)")).bytes
    }
}
