package import IntentEvents
package import IntentKit
package import IntentRuntime

/// The report of `intentd lag`: the groups' positions, their members, and the transactions that block them.
package struct GroupLagReport: Sendable {
    /// The lag of each group, by partition.
    package var lags: [GroupLag]
    /// The members of each group; empty where the log does not report them.
    package var members: [(group: GroupName, members: [GroupMember])]
    /// The reason why the members are not known.
    package var membersProblem: String?
    /// The transactions that block readers.
    package var transactions: [OpenTransaction]

    package init(
        lags: [GroupLag],
        members: [(group: GroupName, members: [GroupMember])],
        membersProblem: String? = nil,
        transactions: [OpenTransaction]
    ) {
        self.lags = lags
        self.members = members
        self.membersProblem = membersProblem
        self.transactions = transactions
    }

    /// Queries the log.
    ///
    /// - Parameters:
    ///   - deployment: The deployment.
    ///   - openTransactionAfter: How long a transaction must have blocked readers to be reported; nil: no check.
    ///   - log: The log.
    /// - Returns: The report.
    /// - Throws: `LogError`.
    package static func make(
        _ deployment: Deployment,
        openTransactionAfter: Duration?,
        on log: any EventLog
    ) async throws -> GroupLagReport {
        let lags = try await GroupLag.all(of: deployment, on: log)
        var report = GroupLagReport(lags: lags, members: [], transactions: [])
        if let openTransactionAfter {
            let partitions = Set(lags.map(\.partition)).sorted()
            report.transactions = try await BlockedPartition.find(partitions, longerThan: openTransactionAfter, on: log)
        }
        do {
            report.members = try await Self.members(of: Self.groups(lags), on: log) ?? []
        } catch {
            // A principal may be allowed to read offsets and not to see groups: what it may see is shown.
            report.membersProblem = "\(error)"
        }
        return report
    }

    /// The lag of each group on each topic, in order.
    package var topics: [TopicLag] {
        var topics: [TopicLag] = []
        for lag in self.lags {
            if topics.last.map({ ($0.group, $0.topic) != (lag.group, lag.partition.topic) }) ?? true {
                topics.append(
                    TopicLag(group: lag.group, topic: lag.partition.topic, partitions: 0, partitionsBehind: 0, lag: 0)
                )
            }
            topics[topics.count - 1].partitions += 1
            topics[topics.count - 1].partitionsBehind += lag.lag > 0 ? 1 : 0
            topics[topics.count - 1].lag += lag.lag
        }
        return topics
    }

    /// The groups, in order.
    static func groups(_ lags: [GroupLag]) -> [GroupName] {
        lags.reduce(into: []) { groups, lag in
            if groups.last != lag.group { groups.append(lag.group) }
        }
    }

    /// The members of each group; nil on a log that does not report them.
    /// - Throws: `LogError`.
    package static func members(
        of groups: [GroupName],
        on log: any EventLog
    ) async throws -> [(group: GroupName, members: [GroupMember])]? {
        guard let log = log as? any MembershipLog else { return nil }
        var all: [(group: GroupName, members: [GroupMember])] = []
        for group in groups { all.append((group, try await log.members(of: group))) }
        return all
    }

    package func member(of group: GroupName, reading partition: TopicPartition) -> GroupMember? {
        self.members.first { $0.group == group }?.members.first { $0.partitions.contains(partition) }
    }

    /// The lines for `--json`, one per partition.
    package var json: [JSONValue] {
        let byPartition = Dictionary(self.transactions.map { ($0.partition, $0) }) { $1 }
        return self.lags.map { lag in
            let member = self.member(of: lag.group, reading: lag.partition)
            return lag.json(member: member?.name, openTransaction: byPartition[lag.partition])
        }
    }

    /// Numbers in order, with consecutive ones as a range: `0-3, 6`.
    static func ranges(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return texts.isEmpty ? "-" : texts.joined(separator: ", ")
    }
}

extension GroupMember {
    /// The numbers of its partitions: `0-3, 6`.
    package var partitionRanges: String { GroupLagReport.ranges(Set(self.partitions.map(\.partition)).sorted()) }
}
