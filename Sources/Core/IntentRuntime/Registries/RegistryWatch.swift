package import IntentEvents
internal import IntentKit
package import Logging
internal import Telemetry

/// Announces this worker's registry to the other workers of a stage, and reports theirs if they differ (R15, R81f).
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
        /// How long two workers must disagree before it is reported: in a rolling restart they do for a moment.
        package var confirmAfter: Duration = .seconds(30)

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

    /// What it knows of the other workers.
    private struct Knowledge {
        var announcements: [String: Announcement] = [:]
        /// The next offset of the topic; nil before the first look.
        var position: Int64?
        /// The registries of workers that disagree, seen at ``at``, by worker.
        var suspected: [String: (digest: RegistryDigest, at: Duration)] = [:]
        /// The registries that were reported, by worker.
        var reported: [String: RegistryDigest] = [:]
    }

    private let configuration: Configuration
    private let log: any EventLog
    private let members: @Sendable () async -> [String]?
    private let topicPartition: TopicPartition
    private let clock: any RuntimeClock
    private let logger: Logger

    /// Makes a watch; nothing is read or written until it runs.
    ///
    /// - Parameters:
    ///   - configuration: What is announced, and how often.
    ///   - deployment: The deployment.
    ///   - log: The log.
    ///   - members: Returns the names of the lanes in the stage's group, or nil where they are not known, so that every
    ///     announced worker may be running; by default it asks the log.
    ///   - clock: The clock.
    ///   - logger: Where disagreements are reported.
    package init(
        _ configuration: Configuration,
        deployment: Deployment,
        log: any EventLog,
        members: (@Sendable () async -> [String]?)? = nil,
        clock: any RuntimeClock = SystemRuntimeClock(),
        logger: Logger
    ) {
        self.configuration = configuration
        self.log = log
        let group = configuration.stage.role.group(prefix: deployment.prefix)
        self.members = members ?? { try? await (log as? any MembershipLog)?.members(of: group).map(\.name) }
        self.topicPartition = deployment.topicPartition(.state, 0)
        self.clock = clock
        self.logger = logger
    }

    /// Watches until the task is cancelled; no error here stops a worker.
    package func run() async {
        var known = Knowledge()
        while !Task.isCancelled {
            do throws(LogError) {
                try await self.poll(&known)
            } catch {
                self.logger.info(
                    "Could not read the registries of the other workers",
                    metadata: [TelemetryKey.errorMessage: "\(error)"]
                )
            }
            let isSuspicious = !known.suspected.isEmpty
            let pause = isSuspicious ? self.configuration.confirmAfter : self.configuration.interval
            try? await self.clock.sleep(for: pause)
        }
    }

    /// Reads new entries, renews its own, and compares.
    ///
    /// Its own entry is written before the last look at the topic, so of two workers that start together, one sees the
    /// other.
    private func poll(_ known: inout Knowledge) async throws(LogError) {
        let cutoff = self.clock.now + -3 * self.configuration.interval.milliseconds
        let start = if let last = known.position { last } else { try await self.start(cutoff) }
        var position = try await self.read(from: start, &known.announcements)
        let renewed = self.clock.now + -self.configuration.interval.milliseconds
        let own = known.announcements[self.configuration.worker]
        var writes: [String: JSONValue?] = [:]
        if own?.digest != self.configuration.digest || own?.at ?? renewed <= renewed {
            var entry = self.configuration.digest.json.object ?? [:]
            entry["at"] = .integer(self.clock.now.milliseconds)
            writes[self.configuration.worker] = .object(entry)
        }
        for (worker, announcement) in known.announcements
        where announcement.at < cutoff && worker != self.configuration.worker {
            writes[worker] = .some(nil)
        }
        if !writes.isEmpty {
            try await self.write(writes)
            position = try await self.read(from: position, &known.announcements)
        }
        known.position = position
        await self.compare(&known)
    }

    /// Reports the workers that are members of the group and still disagree some time after that was first seen.
    ///
    /// The entry of a worker that has stopped or left is on the topic for a while, and means nothing.
    private func compare(_ known: inout Knowledge) async {
        let own = self.configuration.digest
        let others = known.announcements.filter { worker, announcement in
            worker != self.configuration.worker && known.reported[worker] != announcement.digest
                && !own.differences(from: announcement.digest).isEmpty
        }
        // The brokers are asked only when there is something to ask about.
        let members = others.isEmpty ? [] : await self.members()
        let disagreeing = others.filter { worker, _ in
            members?.contains { StageWorker.isLane($0, of: worker) } ?? true
        }
        known.suspected = known.suspected.filter { disagreeing[$0.key]?.digest == $0.value.digest }
        for (worker, announcement) in disagreeing.sorted(by: { $0.key < $1.key }) {
            guard let suspicion = known.suspected[worker] else {
                known.suspected[worker] = (announcement.digest, self.clock.uptime)
                continue
            }
            guard self.clock.uptime - suspicion.at >= self.configuration.confirmAfter else { continue }
            known.suspected[worker] = nil
            known.reported[worker] = announcement.digest
            let differences = own.differences(from: announcement.digest)
            self.logger.error(
                "Workers disagree on intent definitions. Install the same definitions and settings for all workers.",
                metadata: [
                    TelemetryKey.worker: "\(self.configuration.worker)", TelemetryKey.otherWorker: "\(worker)",
                    TelemetryKey.stage: "\(self.configuration.stage.rawValue)",
                    TelemetryKey.intents: "\(differences.prefix(20).joined(separator: ", "))",
                    TelemetryKey.otherSeen: "\(announcement.at)",
                ]
            )
        }
    }

    /// Where the entries of live workers begin.
    ///
    /// Timestamps are the writers' own, so there is a margin.
    private func start(_ cutoff: Timestamp) async throws(LogError) -> Int64 {
        let time = cutoff + -3 * self.configuration.interval.milliseconds
        return try await self.log.offsets([self.topicPartition], at: .time(time.milliseconds))[self.topicPartition] ?? 0
    }

    private func read(from start: Int64, _ known: inout [String: Announcement]) async throws(LogError) -> Int64 {
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
