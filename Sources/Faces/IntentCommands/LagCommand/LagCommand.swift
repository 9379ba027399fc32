import ArgumentParser
import IntentOperations
import IntentRuntime

/// `intentd lag`: the position of each group, and its members.
struct LagCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lag",
        abstract: "Show the committed offset, lag, and members of each consumer group."
    )

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    /// The interval of `--watch`.
    private static let interval = Duration.seconds(2)

    @OptionGroup var output: JSONOption

    @Flag(help: "Show each partition.")
    var partitions = false

    @Flag(help: "Refresh every two seconds, until Ctrl-C.")
    var watch = false

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                let limit = configuration.duration(.readingOpenTransactionAfter)
                while true {
                    do {
                        self.show(try await GroupLagReport.make(deployment, openTransactionAfter: limit, on: log))
                    } catch let error as LogError where self.watch && error.isRetriable {
                        // With `--watch`, the broker's return should be seen.
                        StandardError.report("\(error)")
                    }
                    guard self.watch else { return }
                    try await Task.sleep(for: Self.interval)
                }
            }
    }

    private func show(_ report: GroupLagReport) {
        if self.output.json {
            for line in report.json { StandardOutput.print(line) }
            return
        }
        var lines = report.lines(byPartition: self.partitions)
        if self.watch {
            let isTerminal = StandardOutput.isTerminal
            // On a terminal each report replaces the previous one; elsewhere they follow one another.
            if isTerminal { lines[0] = "\u{1B}[H\u{1B}[2J" + lines[0] } else { lines.append("") }
        }
        for line in lines { StandardOutput.print(line) }
    }
}
