import IntentEvents
import IntentOperations
import IntentRuntime

extension GroupLagReport {
    /// The lines for people; on request, each partition has a line of its own.
    func lines(byPartition: Bool) -> [String] {
        var table: Table
        if byPartition {
            table = Table("GROUP", "TOPIC", ">PARTITION", ">COMMITTED", ">END", ">LAG", "MEMBER")
            for lag in self.lags {
                let committed = lag.committed.map { String($0) } ?? "-"
                let partition = lag.partition
                let member = self.member(of: lag.group, reading: partition).map { SafeText.line($0.name) } ?? "-"
                let counts = ["\(partition.partition)", committed, "\(lag.end)", "\(lag.lag)"]
                table.add(
                    [lag.group.text, partition.topic.text] + counts + [member],
                    styles: lag.lag > 0 ? [5: TextStyle.output.open] : [:]
                )
            }
        } else {
            table = Table("GROUP", "TOPIC", ">PARTITIONS", ">LAG")
            for one in self.topics {
                table.add(
                    [one.group.text, one.topic.text, "\(one.partitions)", "\(one.lag)"],
                    styles: one.lag > 0 ? [3: TextStyle.output.open] : [:]
                )
            }
        }
        let transactions = self.transactions.map { TextStyle.output.bad($0.text) }
        return table.lines(within: WordWrap.output.width) + self.memberLines + transactions
    }

    private var memberLines: [String] {
        if let problem = self.membersProblem {
            return ["", "Cannot list the group members: \(SafeText.line(problem))"]
        }
        guard !self.members.isEmpty else { return [] }
        var table = Table("GROUP", "MEMBER", "HOST", ">PARTITIONS", "WHICH")
        for (group, members) in self.members {
            if members.isEmpty { table.add(group.text, "no members", "-", "0", "-") }
            for member in members {
                table.add(
                    group.text,
                    SafeText.line(member.name),
                    SafeText.line(member.host),
                    "\(Set(member.partitions.map(\.partition)).count)",
                    member.partitionRanges
                )
            }
        }
        return [""] + table.lines(within: WordWrap.output.width)
    }
}
