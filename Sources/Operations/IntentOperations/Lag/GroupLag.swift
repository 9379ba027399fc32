package import IntentEvents
package import IntentKit
package import IntentRuntime

/// The position of a group in a partition.
package struct GroupLag: Hashable, Sendable {
    package var group: GroupName
    package var partition: TopicPartition
    /// The next offset that the group reads; nil when it has committed none.
    package var committed: Int64?
    /// The offset after the last record that a reader of committed records can see.
    package var end: Int64
    /// The number of records that are still to be read; markers of transactions count where their number is not known.
    package var lag: Int64

    /// The lag for `--json`.
    ///
    /// - Parameters:
    ///   - member: The name of the member that reads the partition.
    ///   - openTransaction: The transaction that blocks readers of the partition.
    /// - Returns: The object of one line.
    package func json(member: String?, openTransaction: OpenTransaction?) -> JSONValue {
        .members([
            "group": self.group.json, "topic": self.partition.topic.json,
            "partition": .integer(Int64(self.partition.partition)),
            "committed": self.committed.map(JSONValue.integer) ?? .null, "end": .integer(self.end),
            "lag": .integer(self.lag), "member": member.map(JSONValue.string) ?? .null,
            "openTransaction": openTransaction?.json,
        ])
    }

    /// The lags of all groups of a deployment: those of the roles, and that of the webhook once a gateway had one (R88e).
    /// - Throws: `LogError`.
    static func all(of deployment: Deployment, on log: any EventLog) async throws -> [GroupLag] {
        var lags: [GroupLag] = []
        let webhooks = GroupName.webhooks(prefix: deployment.prefix)
        let groups =
            WorkerRole.allCases.map { ($0.group(prefix: deployment.prefix), $0.topics) }
            + [(webhooks, [.responses, .userActivities])]
        for (group, topics) in groups {
            let partitions = topics.flatMap(deployment.topicPartitions)
            let committed: [TopicPartition: Int64]
            do throws(LogError) {
                committed = try await log.committedOffsets(group: group, partitions: partitions)
            } catch {
                // Rights that were given before there were webhooks do not name this group.
                guard group == webhooks, error.code == .notAuthorized else { throw error }
                continue
            }
            if group == webhooks, committed.isEmpty { continue }
            let ends = try await log.offsets(partitions, at: .lastStable)
            let earliest = try await log.offsets(partitions, at: .earliest)
            let starts = partitions.map { ($0, max(committed[$0] ?? 0, earliest[$0] ?? 0)) }
            let exact = try await Self.count(starts, ends: ends, on: log)
            lags += starts.map { partition, start in
                let end = ends[partition] ?? 0
                return GroupLag(
                    group: group,
                    partition: partition,
                    committed: committed[partition],
                    end: end,
                    lag: exact[partition] ?? max(0, end - start)
                )
            }
        }
        return lags
    }

    /// The longest distance in which records are distinguished from markers by reading them.
    private static let countedDistance: Int64 = 100

    /// Counts the records in a short distance: a group that has read everything is often just a marker behind the end.
    private static func count(
        _ starts: [(TopicPartition, Int64)],
        ends: [TopicPartition: Int64],
        on log: any EventLog
    ) async throws -> [TopicPartition: Int64] {
        let short = starts.filter { 1...Self.countedDistance ~= (ends[$0.0] ?? 0) - $0.1 }
        guard !short.isEmpty else { return [:] }
        var counts = Dictionary(short.map { ($0.0, Int64(0)) }) { $1 }
        var open = Set(counts.keys)
        let reader = try await log.makeReader(from: Dictionary(short) { $1 })
        do {
            let deadline = ContinuousClock.now + .seconds(5)
            while !open.isEmpty, ContinuousClock.now < deadline {
                let batch = try await reader.next(maxRecords: 2_000, timeout: .milliseconds(500))
                for record in batch.records where record.offset < ends[record.topicPartition] ?? 0 {
                    counts[record.topicPartition, default: 0] += 1
                }
                for (partition, position) in batch.positions where position >= ends[partition] ?? 0 {
                    open.remove(partition)
                }
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
        return counts.filter { !open.contains($0.key) }
    }
}

/// The lag of a group on a topic: that of its partitions.
package struct TopicLag: Hashable, Sendable {
    package var group: GroupName
    package var topic: TopicName
    package var partitions: Int
    package var partitionsBehind: Int
    /// The number of records that are still to be read.
    package var lag: Int64

    package init(group: GroupName, topic: TopicName, partitions: Int, partitionsBehind: Int, lag: Int64) {
        self.group = group
        self.topic = topic
        self.partitions = partitions
        self.partitionsBehind = partitionsBehind
        self.lag = lag
    }
}
