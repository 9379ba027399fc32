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
            What a topic, an open interaction or a dead letter could still ask for stays, however old it is. A recorder that \
            runs is asked to do it, and goes on recording meanwhile; without one it is done here. Room that becomes free is \
            used again; files do not shrink. A mark of what was removed is left in each file, signed when audit.keyFile names \
            a key, and `audit verify` and `replay --into` keep to it. With records.retentionDays set, workers do this \
            themselves.
            """
    )

    @Option(
        help: ArgumentHelp("Remove records and effects older than this, such as 90d.", valueName: "duration"),
        transform: { text in
            guard let duration = DurationText.read(text) else {
                throw ValidationError("'\(text)' is no duration, such as 90d")
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

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption
    @OptionGroup var output: JSONOption

    func validate() throws {
        guard (self.olderThan == nil) != (self.before == nil) else {
            throw ValidationError("say how old: --older-than or --before")
        }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let now = SystemRuntimeClock().now
        let before = self.before ?? now + -(self.olderThan?.milliseconds ?? 0)
        let prune = try RecordPrune(before: before, at: now, isDryRun: self.dryRun, configuration)
        let counts = try await WorkProgress.during {
            try await prune.run {
                let records = configuration.data.records
                StandardError.write("the recorder that runs on \(records) is asked to do it\n")
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
        if counts.isEmpty { StandardOutput.print("nothing is from before \(before)") }
    }
}
