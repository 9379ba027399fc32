import ArgumentParser
import IntentEvents
import IntentKit
import IntentRuntime

/// `intentd lag`: how far each group has got.
struct LagCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lag",
        abstract: "Show how far each group has got, per topic and partition."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption
    @OptionGroup var output: JSONOption

    @Flag(help: "Show each partition, not only each topic.")
    var partitions = false

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let (lags, transactions) = try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                let lags = try await GroupLag.all(of: deployment, on: log)
                let heldUp = try await HeldUpPartition.find(
                    Set(lags.map(\.partition)).sorted(),
                    longerThan: configuration.duration(.readingHeldUpAfter),
                    on: log
                )
                return (lags, heldUp)
            }
        if self.output.json {
            let byPartition = Dictionary(transactions.map { ($0.partition, $0) }) { $1 }
            for lag in lags { StandardOutput.print(lag.json(openTransaction: byPartition[lag.partition])) }
            return
        }
        var table: Table
        if self.partitions {
            table = Table("GROUP", "TOPIC", ">PARTITION", ">COMMITTED", ">END", ">LAG")
            for lag in lags {
                let committed = lag.committed.map { String($0) } ?? "-"
                let place = lag.partition
                table.add(lag.group.text, place.topic.text, "\(place.partition)", committed, "\(lag.end)", "\(lag.lag)")
            }
        } else {
            table = Table("GROUP", "TOPIC", ">PARTITIONS", ">LAG")
            for (group, topic) in GroupLag.topics(lags) {
                let own = lags.filter { $0.group == group && $0.partition.topic == topic }
                table.add(group.text, topic.text, "\(own.count)", "\(own.reduce(0) { $0 + $1.lag })")
            }
        }
        for line in table.lines { StandardOutput.print(line) }
        for transaction in transactions { StandardOutput.print(transaction.text) }
    }
}
