import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords

/// `intentd insight`: how interactions went, by intent.
struct InsightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insight",
        abstract: "Show how interactions went by intent: funnel, abandonment, failures, and times.",
        discussion:
            "From the record database: interactions that were requested in the last 24 hours, unless --since is given."
    )

    @Option(help: "Only interactions for this intent.", transform: IdentityArgument.read)
    var intent: String?

    @Option(
        help: ArgumentHelp("Since a time, or a duration ago such as 30d. (default: 24h)", valueName: "time"),
        transform: TimeArgument.read
    )
    var since: Timestamp?

    @Option(
        help: ArgumentHelp("Before a time, or a duration ago.", valueName: "time"),
        transform: TimeArgument.read
    )
    var until: Timestamp?

    @OptionGroup var output: JSONOption

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load()
        let since = try self.since ?? TimeArgument.read("24h")
        let insight = try await RecordArchive.open(at: configuration.data.records)
            .insight(since: since, until: self.until, intent: self.intent)
        guard !self.output.json else { return StandardOutput.print(insight.json) }
        var table = Table(
            "INTENT",
            ">REQUESTED",
            ">ASKED",
            ">CONFIRMED",
            ">DONE",
            ">ABANDONED",
            ">FAILED",
            ">OPEN"
        )
        for funnel in insight.funnels {
            let counts = [
                funnel.requested, funnel.asked, funnel.confirmed, funnel.done, funnel.abandoned, funnel.failed,
                funnel.open,
            ]
            table.add([funnel.intent ?? "-"] + counts.map { String($0) })
        }
        table.show()
        for funnel in insight.funnels where funnel.hasDetails {
            StandardOutput.print("\n\(SafeText.line(funnel.intent ?? "-"))")
            for abandonment in funnel.abandonments {
                StandardOutput.printWrapped("  \(abandonment.count) abandoned at \(SafeText.line(abandonment.words))")
            }
            for failure in funnel.failures {
                StandardOutput.printWrapped("  \(failure.count) failed: \(SafeText.line(failure.words))")
            }
            let times = funnel.meanTimes.map { "\($0.state.rawValue) \($0.milliseconds) ms" }.joined(separator: ", ")
            if funnel.timed > 0 { StandardOutput.printWrapped("  mean of the newest \(funnel.timed): \(times)") }
        }
        if insight.isAbandonmentCutShort {
            StandardError.report(
                "only the newest \(InteractionInsight.maximumAbandoned) abandoned interactions were examined for their question"
            )
        }
    }
}
