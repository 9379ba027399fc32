import ArgumentParser
import IntentEvents
import IntentKit
import IntentRuntime
import IntentOperations

/// `intentd records prune`: removes old records and effects.
struct RecordsPruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove old records and effects.",
        discussion: """
            Rows that a topic, an open interaction or a dead letter may still need are kept, however old they are. A running \
            recorder removes the rows and keeps recording meanwhile; without one, this command removes them. Freed space is \
            reused; files do not shrink. Each file keeps a mark of what was removed, signed if audit.keyFile names a key; \
            `audit verify` and `replay --into` respect it. With records.retentionDays set, workers prune by themselves.
            """
    )

    @Option(
        help: ArgumentHelp("Remove records and effects older than this, such as 90d.", valueName: "duration"),
        transform: { text in
            guard let duration = DurationText.read(text) else {
                throw ValidationError("'\(text)' is not a duration, such as 90d")
            }
            return duration
        }
    )
    var olderThan: Duration?

    @Option(
        help: ArgumentHelp("Remove records and effects from before this time.", valueName: "time"),
        transform: TimeArgument.read
    )
    var before: Timestamp?

    @Flag(help: "Print how many rows would be removed, and remove none.")
    var dryRun = false

    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (self.olderThan == nil) != (self.before == nil) else {
            throw ValidationError("specify the age with --older-than or --before")
        }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let now = SystemRuntimeClock().now
        let before = self.before ?? now + -(self.olderThan?.milliseconds ?? 0)
        let prune = try RecordPrune(
            before: before,
            at: now,
            isDryRun: self.dryRun,
            by: self.operator.value,
            configuration
        )
        let counts = try await WorkProgress.during {
            try await prune.run {
                let records = configuration.data.records
                StandardError.write("asking the running recorder on \(records) to do it\n")
            }
        }
        self.report(counts, before)
    }

    private func report(_ counts: [String: Int], _ before: Timestamp) {
        if self.output.json {
            StandardOutput.print([
                "before": .string(before.description), "dryRun": .bool(self.dryRun),
                "rows": .object(counts.mapValues { .integer(Int64($0)) }),
            ])
            return
        }
        let verb = self.dryRun ? "would be removed" : "removed"
        for (table, count) in counts.sorted(by: { $0.key < $1.key }) {
            StandardOutput.print("\(table)  \(count) \(count == 1 ? "row" : "rows") \(verb)")
        }
        if counts.isEmpty { StandardOutput.print("nothing is older than \(before)") }
    }
}
