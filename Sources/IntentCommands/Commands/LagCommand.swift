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
        let lags = try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                return try await GroupLag.all(of: deployment, on: log)
            }
        if self.output.json {
            for lag in lags { StandardOutput.print(lag.json) }
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
    }
}
