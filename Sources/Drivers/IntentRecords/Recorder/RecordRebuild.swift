internal import IntentEvents
internal import IntentKit
package import IntentRuntime

/// Fills a store from the topics, as the recorder would have (R45); joins no group and commits nothing.
package struct RecordRebuild: Sendable {
    private let log: any EventLog
    private let prefix: String
    private let maxRecords: Int
    /// How many polls in a row may return nothing before the topics count as stuck.
    private static let maximumIdlePolls = 60

    package init(log: any EventLog, prefix: String, maxRecords: Int = 5_000) {
        self.log = log
        self.prefix = prefix
        self.maxRecords = maxRecords
    }

    /// Reads all recorded topics from their beginning to the end that they have now.
    ///
    /// - Parameters:
    ///   - store: An empty store.
    ///   - cuts: The first wanted offset of a partition, by `topic/partition` without prefix; 0 for others.
    ///   - progress: Called with the number of further offsets that are passed, and with their total.
    /// - Returns: The number of records that were read.
    /// - Throws: `RecordingError`: `cutByRetention` when a partition no longer holds the first wanted offset,
    ///   `unknownTopic` when a topic is missing, `incomplete` when a topic stops before its own end; ``LogError``;
    ///   `CancellationError`.
    package func run(
        into store: any RecordStore,
        leavingOut cuts: [String: Int64] = [:],
        progress: (_ more: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws -> Int {
        let partitions = try await self.partitions()
        let earliest = try await self.log.offsets(partitions, at: .earliest)
        let cut = partitions.filter { partition in
            let name = Topic(name: partition.topic, prefix: self.prefix)?.rawValue ?? partition.topic.text
            return (earliest[partition] ?? 0) > cuts["\(name)/\(partition.partition)"] ?? 0
        }
        guard cut.isEmpty else {
            throw RecordingError(
                .cutByRetention,
                "Retention has removed the beginning of "
                    + cut.map { "\($0) (first offset \(earliest[$0] ?? 0))" }.joined(separator: ", ")
                    + ": the remaining records are incomplete."
            )
        }
        // Records of open transactions are not visible yet, neither to the recorder nor here.
        let ends = try await self.log.offsets(partitions, at: .lastStable)
        return try await self.run(into: store, upTo: ends, progress: progress)
    }

    /// Reads partitions from the first record that they still hold up to these offsets.
    ///
    /// - Parameters:
    ///   - store: An empty store.
    ///   - ends: The offsets.
    ///   - progress: Called with the number of further offsets that are passed, and with their total.
    /// - Returns: The number of records that were read.
    /// - Throws: `RecordingError`, `incomplete` when a topic stops before an end; ``LogError``; `CancellationError`.
    package func run(
        into store: any RecordStore,
        upTo ends: [TopicPartition: Int64],
        progress: (_ more: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws -> Int {
        let starts = try await self.log.offsets(Array(ends.keys), at: .earliest)
        let claim = try await store.claim(ends.keys.sorted())
        let open = ends.filter { $0.value > starts[$0.key] ?? 0 }
        guard !open.isEmpty else { return 0 }
        let reader = try await self.log.makeReader(from: starts.filter { open[$0.key] != nil })
        do {
            let count = try await self.copy(from: reader, to: store, claim: claim, at: starts, until: open, progress)
            await reader.close()
            return count
        } catch {
            await reader.close()
            throw error
        }
    }

    private func copy(
        from reader: any LogReader,
        to store: any RecordStore,
        claim: RecordClaim,
        at starts: [TopicPartition: Int64],
        until ends: [TopicPartition: Int64],
        _ progress: (_ more: Int64, _ total: Int64) -> Void
    ) async throws -> Int {
        var open = ends
        var reached = starts
        let total = ends.reduce(0) { $0 + max(0, $1.value - (starts[$1.key] ?? 0)) }
        var count = 0
        var idlePolls = 0
        while !open.isEmpty {
            try Task.checkCancellation()
            let batch = try await reader.next(maxRecords: self.maxRecords, timeout: .milliseconds(500))
            let records = batch.records.filter { $0.offset < ends[$0.topicPartition] ?? 0 }
            if !records.isEmpty { _ = try await store.record(records, under: claim) }
            count += records.count
            let before = open.count
            var more: Int64 = 0
            for (partition, position) in batch.positions {
                more += max(0, min(position, ends[partition] ?? 0) - (reached[partition] ?? 0))
                reached[partition] = max(position, reached[partition] ?? 0)
            }
            progress(more, total)
            for (partition, position) in batch.positions where position >= ends[partition] ?? 0 {
                open[partition] = nil
            }
            idlePolls = records.isEmpty && open.count == before ? idlePolls + 1 : 0
            guard idlePolls < Self.maximumIdlePolls else {
                throw RecordingError(
                    .incomplete,
                    "No more records arrive from \(open.keys.sorted().map(\.description).joined(separator: ", "))."
                )
            }
        }
        return count
    }

    /// All partitions of all recorded topics.
    /// - Throws: `RecordingError`, `unknownTopic` when a topic is missing; ``LogError``.
    package func partitions() async throws -> [TopicPartition] {
        let descriptions = try await self.log.topics()
        var partitions: [TopicPartition] = []
        for topic in Topic.allCases where topic.isRecorded {
            let name = topic.name(prefix: self.prefix)
            guard let description = descriptions.first(where: { $0.name == name }) else {
                throw RecordingError(.unknownTopic, "Topic \(name) not found: is \(self.prefix) the right prefix?")
            }
            partitions += (0..<description.partitions).map { TopicPartition(name, $0) }
        }
        return partitions
    }
}
