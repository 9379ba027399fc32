import IntentEvents
import IntentKit
import IntentRuntime

/// The report of `intentd lag`: the groups' positions, their members, and the transactions that block them.
struct GroupLagReport: Sendable {
    /// The lag of each group, by partition.
    var lags: [GroupLag]
    /// The members of each group; empty where the log does not report them.
    var members: [(group: GroupName, members: [GroupMember])]
    /// The reason why the members are not known.
    var membersProblem: String?
    /// The transactions that block readers.
    var transactions: [OpenTransaction]

    /// Queries the log.
    /// - Throws: `LogError`.
    static func make(
        _ deployment: Deployment,
        heldUpAfter: Duration,
        on log: any EventLog
    ) async throws -> GroupLagReport {
        let lags = try await GroupLag.all(of: deployment, on: log)
        let partitions = Set(lags.map(\.partition)).sorted()
        let heldUp = try await HeldUpPartition.find(partitions, longerThan: heldUpAfter, on: log)
        var report = GroupLagReport(lags: lags, members: [], transactions: heldUp)
        do {
            report.members = try await Self.members(of: Self.groups(lags), on: log) ?? []
        } catch {
            // A principal may be allowed to read offsets and not to see groups: what it may see is shown.
            report.membersProblem = "\(error)"
        }
        return report
    }

    /// The groups, in order.
    static func groups(_ lags: [GroupLag]) -> [GroupName] {
        lags.reduce(into: []) { groups, lag in
            if groups.last != lag.group { groups.append(lag.group) }
        }
    }

    /// The members of each group; nil on a log that does not report them.
    /// - Throws: `LogError`.
    static func members(
        of groups: [GroupName],
        on log: any EventLog
    ) async throws -> [(group: GroupName, members: [GroupMember])]? {
        guard let log = log as? any MembershipLog else { return nil }
        var all: [(group: GroupName, members: [GroupMember])] = []
        for group in groups { all.append((group, try await log.members(of: group))) }
        return all
    }

    /// The member that reads a partition for a group.
    func member(of group: GroupName, reading partition: TopicPartition) -> GroupMember? {
        self.members.first { $0.group == group }?.members.first { $0.partitions.contains(partition) }
    }

    /// The lines for `--json`, one per partition.
    var json: [JSONValue] {
        let byPartition = Dictionary(self.transactions.map { ($0.partition, $0) }) { $1 }
        return self.lags.map { lag in
            let member = self.member(of: lag.group, reading: lag.partition)
            return lag.json(member: member?.name, openTransaction: byPartition[lag.partition])
        }
    }

    /// The lines for people; on request, each partition has a line of its own.
    func lines(byPartition: Bool) -> [String] {
        var table: Table
        if byPartition {
            table = Table("GROUP", "TOPIC", ">PARTITION", ">COMMITTED", ">END", ">LAG", "MEMBER")
            for lag in self.lags {
                let committed = lag.committed.map { String($0) } ?? "-"
                let place = lag.partition
                let member = self.member(of: lag.group, reading: place).map { SafeText.line($0.name) } ?? "-"
                let counts = ["\(place.partition)", committed, "\(lag.end)", "\(lag.lag)"]
                table.add(
                    [lag.group.text, place.topic.text] + counts + [member],
                    styles: lag.lag > 0 ? [5: TextStyle.output.open] : [:]
                )
            }
        } else {
            table = Table("GROUP", "TOPIC", ">PARTITIONS", ">LAG")
            for (group, topic) in GroupLag.topics(self.lags) {
                let own = self.lags.filter { $0.group == group && $0.partition.topic == topic }
                let sum = own.reduce(0) { $0 + $1.lag }
                table.add(
                    [group.text, topic.text, "\(own.count)", "\(sum)"],
                    styles: sum > 0 ? [3: TextStyle.output.open] : [:]
                )
            }
        }
        let transactions = self.transactions.map { TextStyle.output.bad($0.text) }
        return table.lines(within: WordWrap.output.width) + self.memberLines + transactions
    }

    private var memberLines: [String] {
        if let problem = self.membersProblem { return ["", "Who reads could not be asked: \(SafeText.line(problem))"] }
        guard !self.members.isEmpty else { return [] }
        var table = Table("GROUP", "MEMBER", "HOST", ">PARTITIONS", "WHICH")
        for (group, members) in self.members {
            if members.isEmpty { table.add(group.text, "nobody reads", "-", "0", "-") }
            for member in members {
                let numbers = Set(member.partitions.map(\.partition)).sorted()
                table.add(
                    group.text,
                    SafeText.line(member.name),
                    SafeText.line(member.host),
                    "\(numbers.count)",
                    Self.ranges(numbers)
                )
            }
        }
        return [""] + table.lines(within: WordWrap.output.width)
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
