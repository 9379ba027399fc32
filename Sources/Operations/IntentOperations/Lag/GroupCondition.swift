package import IntentEvents
internal import IntentRuntime

/// How a consumer group is, as the brokers report it: its lag and the number of its members (R81a).
package struct GroupCondition: Hashable, Sendable {
    package var group: GroupName
    /// The offsets that are still to be read, by topic; empty when they are not known.
    package var lags: [TopicName: Int64]
    /// The number of members; nil when it is not known.
    package var members: Int?

    package init(group: GroupName, lags: [TopicName: Int64], members: Int?) {
        self.group = group
        self.lags = lags
        self.members = members
    }

    /// The offsets that are still to be read, on all topics.
    package var lag: Int64 { self.lags.values.reduce(0, +) }

    /// Whether the group has no members, so that nobody reads its topics.
    package var hasNoConsumers: Bool { self.members == 0 }

    /// The condition in a few words.
    package var description: String {
        let lag = self.lags.isEmpty ? "lag unknown" : "lag \(self.lag)"
        return switch self.members {
        case nil: "members unknown; \(lag)"
        case 0: "no consumers; \(lag)"
        case 1: "1 member; \(lag)"
        case let count?: "\(count) members; \(lag)"
        }
    }

    /// The conditions of the groups of these roles.
    ///
    /// Markers of transactions count as offsets to be read: ``GroupLagReport`` distinguishes them from records. A group that this
    /// process may not see is left out.
    /// - Throws: `LogError`.
    static func measure(
        _ roles: Set<WorkerRole>,
        of deployment: Deployment,
        on log: any EventLog
    ) async throws -> [GroupCondition] {
        let roles = WorkerRole.allCases.filter(roles.contains)
        let topics = Set(roles.flatMap(\.topics))
        let ends = try await log.offsets(topics.flatMap(deployment.topicPartitions), at: .lastStable)
        var conditions: [GroupCondition] = []
        for role in roles {
            let group = role.group(prefix: deployment.prefix)
            let partitions = role.topics.flatMap(deployment.topicPartitions)
            do throws(LogError) {
                let committed = try await log.committedOffsets(group: group, partitions: partitions)
                let members = try await (log as? any MembershipLog)?.members(of: group).count
                var condition = GroupCondition(group: group, lags: [:], members: members)
                for partition in partitions {
                    let lag = max(0, (ends[partition] ?? 0) - (committed[partition] ?? 0))
                    condition.lags[partition.topic, default: 0] += lag
                }
                conditions.append(condition)
            } catch {
                guard error.code == .notAuthorized else { throw error }
            }
        }
        return conditions
    }
}

extension GroupLagReport {
    /// The condition of each group, in order.
    package var conditions: [GroupCondition] {
        Self.groups(self.lags)
            .map { group in
                var condition = GroupCondition(
                    group: group,
                    lags: [:],
                    members: self.members.first { $0.group == group }?.members.count
                )
                for lag in self.lags where lag.group == group {
                    condition.lags[lag.partition.topic, default: 0] += lag.lag
                }
                return condition
            }
    }
}
