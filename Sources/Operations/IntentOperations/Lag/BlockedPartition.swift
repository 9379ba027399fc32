package import IntentKit
package import IntentRuntime

/// Finds the open transactions that block readers.
enum BlockedPartition {
    /// The interval at which ends are read.
    private static let pause = Duration.milliseconds(250)

    /// The transactions that have kept readers of committed records in these partitions at one offset for at least this
    /// long.
    ///
    /// Returns at once when there are none; a transaction that makes progress is no longer waited for.
    /// - Throws: `LogError`; `CancellationError`.
    static func find(
        _ partitions: [TopicPartition],
        longerThan limit: Duration,
        on log: any EventLog,
        clock: any RuntimeClock = SystemRuntimeClock()
    ) async throws -> [OpenTransaction] {
        let began = clock.uptime
        var blocked = try await Self.observations(partitions, log)
        while !blocked.isEmpty, clock.uptime - began < limit {
            try await clock.sleep(for: min(Self.pause, limit))
            let now = try await Self.observations(blocked.keys.sorted(), log)
            blocked = now.filter { blocked[$0.key]?.lastStable == $0.value.lastStable }
        }
        guard !blocked.isEmpty else { return [] }
        var records: [TopicPartition: LogRecord] = [:]
        if let log = log as? any OpenTransactionLog {
            records = try await log.uncommittedRecords(at: blocked.mapValues(\.lastStable))
        }
        return blocked.sorted { $0.key < $1.key }
            .map { partition, observation in
                OpenTransaction(
                    partition,
                    observation,
                    firstRecord: records[partition],
                    seenFor: clock.uptime - began,
                    now: clock.now
                )
            }
    }

    /// The partitions whose end for readers is before their end.
    private static func observations(
        _ partitions: [TopicPartition],
        _ log: any EventLog
    ) async throws -> [TopicPartition: ReadingWatch.Observation] {
        let stable = try await log.offsets(partitions, at: .lastStable)
        let ends = try await log.offsets(partitions, at: .end)
        var observations: [TopicPartition: ReadingWatch.Observation] = [:]
        for (partition, end) in ends {
            guard let lastStable = stable[partition], lastStable < end else { continue }
            observations[partition] = .init(position: lastStable, lastStable: lastStable, end: end)
        }
        return observations
    }
}

extension OpenTransaction {
    /// Its members in `--json`, beside its partition.
    package var json: JSONValue {
        .members([
            "offset": .integer(self.offset), "behind": .integer(self.behind),
            "seconds": .integer(self.age.components.seconds),
            "key": self.key.map(JSONValue.string), "source": self.source.map(JSONValue.string),
        ])
    }

    /// The transaction in words, with advice.
    package var text: String {
        var text =
            "\(self.partition): a transaction has been open since offset \(self.offset) for "
            + "\(self.age.components.seconds) s, and blocks \(self.behind) offsets"
        if let key = self.key { text += "; its first record's key is \(SafeText.line(key))" }
        if let source = self.source { text += ", its source \(SafeText.line(source))" }
        return text
            + ". The broker aborts it at its timeout; `kafka-transactions.sh describe-producers --topic "
            + "\(self.partition.topic) --partition \(self.partition.partition)` shows the producer, which records do not name."
    }
}
