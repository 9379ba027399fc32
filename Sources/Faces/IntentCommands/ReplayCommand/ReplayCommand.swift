import ArgumentParser
import Foundation
import IntentAudit
import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords

/// `intentd replay`: runs recorded turns again, plays interactions with today's handlers, or rebuilds a record database
/// (R42 to R45).
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run recorded turns again and compare their results, byte for byte.",
        discussion: """
            Read-only: joins no consumer group, commits and publishes nothing, makes no effects. Each turn is Matched, \
            Diverged (with the first difference and advice), Incomparable (another version of intentd ran it, whose rules \
            gave another result), Missing (its event or its record is missing) or Error. The last line counts them. The \
            exit status is 0 only if all matched, and 66 if retention has removed a part of the selection.

            With --shadow, whole interactions are played with the current handlers, definitions and vocabularies; the \
            exit status is 1 if clients would read something else of one. Interactions that ask for something that was never answered \
            are listed as unknown; with --strict they count as differences. With --into, a record database is created from the topics.
            """
    )

    @OptionGroup(title: "Selection") var selecting: SelectionOptions

    @Flag(help: "Report interactions that would differ with the current handlers.")
    var shadow = false

    @Flag(help: "With --shadow, also exit with 1 if the end of an interaction is unknown.")
    var strict = false

    @Option(help: ArgumentHelp("Create a record database in this file, which must not exist.", valueName: "file"))
    var into: String?

    @Option(help: "Maximum number of differing turns or interactions to show.")
    var limit = 20

    @Option(help: ArgumentHelp("Number of turns to run concurrently. (default: one per processor)", valueName: "count"))
    var parallelism: Int?

    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard self.limit >= 0 else { throw ValidationError("--limit is 0 or more") }
        if let parallelism, !(1...1_024).contains(parallelism) { throw ValidationError("--parallelism is 1 to 1024") }
        guard self.into == nil || (self.selecting.isEmpty && !self.shadow) else {
            throw ValidationError("--into reads the whole topics: it excludes a selection and --shadow")
        }
        guard !self.strict || self.shadow else { throw ValidationError("--strict belongs to --shadow") }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        if let into {
            PrivateFiles.begin()
            // Data that was removed on purpose from the recorder's file is left out here too.
            let records = configuration.data.records
            let cuts =
                FileManager.default.fileExists(atPath: records) ? try await RecordArchive.open(at: records).cuts() : []
            let progress = WorkProgress("records")
            let count = try await LogAccess.find(configuration)
                .use { log in
                    try await RecordDatabase.rebuild(
                        at: into,
                        from: log,
                        prefix: configuration.prefix,
                        cuts: cuts,
                        progress: progress.advance
                    )
                }
            progress.finish()
            StandardOutput.print("\(into) holds \(count) events")
            return
        }
        let holds = try await Operations.use(configuration) { operations in
            try await self.shadow ? self.playAgain(operations) : self.replay(operations)
        }
        guard holds else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }

    /// Runs turns again; returns whether all matched.
    private func replay(_ operations: Operations) async throws -> Bool {
        let progress = WorkProgress("turns")
        let began = ContinuousClock.now
        let report = try await operations.replay(self.selecting.selection, parallelism: self.parallelism) {
            progress.update($0, of: $1)
        }
        progress.finish()
        let masking = self.masking.reveal ? Masking.revealed : operations.masking
        if self.output.json {
            var members = report.json.object ?? [:]
            members["turns"] = .array(report.verdicts.map { $0.json(masking) })
            StandardOutput.print(.object(members))
        } else {
            for verdict in report.verdicts.prefix(self.limit) {
                let style = TextStyle.output.verdict(verdict.outcome)
                for (index, line) in verdict.lines(masking).enumerated() {
                    StandardOutput.printWrapped(line, index == 0 ? style : { $0 })
                }
            }
            let hidden = report.turns - (report.counts[.matched] ?? 0) - min(self.limit, report.verdicts.count)
            if hidden > 0 { StandardOutput.print("… and \(hidden) more (--limit, --json)") }
            if report.waiting > 0 {
                StandardError.write("\(report.waiting) events wait behind turns that are still running\n")
            }
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            StandardError.write("\(report.turns) turns in \(String(format: "%.1f", seconds)) s\n")
            StandardOutput.printWrapped(report.summary, report.isMatched ? TextStyle.output.good : TextStyle.output.bad)
        }
        guard report.turns > 0 else {
            throw OperationError(.noInput, "no turn in the journal matches the selection: nothing was proved")
        }
        return report.isMatched
    }

    /// Plays interactions with today's handlers; returns whether clients would read the same of all.
    private func playAgain(_ operations: Operations) async throws -> Bool {
        let progress = WorkProgress("turns")
        let report = try await operations.shadow(
            self.selecting.selection,
            parallelism: self.parallelism,
            masking: self.masking.reveal ? .revealed : nil
        ) {
            progress.update($0, of: $1)
        }
        progress.finish()
        if self.output.json {
            StandardOutput.print(report.json)
        } else {
            let width = min(ShadowText.width, WordWrap.output.width ?? ShadowText.width)
            for line in ShadowText(report, limit: self.limit).lines(within: width) { StandardOutput.print(line) }
            StandardOutput.printWrapped(
                report.summary,
                report.differing == 0 ? TextStyle.output.good : TextStyle.output.bad
            )
        }
        guard report.interactions > 0 else {
            throw OperationError(.noInput, "no interaction on these topics matches the selection: nothing was played")
        }
        return report.differing == 0 && (!self.strict || report.unknown == 0)
    }
}
