import ArgumentParser
import Foundation
import IntentAudit
import IntentKit

/// `intentd audit verify`: compares everything with everything that says something of it.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the chains of turns, what they processed and wrote, the state, and the records.",
        discussion: """
            Each turn's digest covers its event, the state before it, its outputs and the digest of the turn before. All of \
            that is compared with the topics, and the record database with the topics row for row. An anchor, made before \
            with `intentd audit anchor` and kept elsewhere, also shows whether an end was cut off. The exit status is 1 when \
            something is not as it must be.
            """
    )

    @Option(help: ArgumentHelp("Heads of the chains that were kept elsewhere.", valueName: "file"))
    var anchor: String?

    @Option(help: ArgumentHelp("The record database. (default: the data directory's)", valueName: "file"))
    var records: String?

    @Flag(help: "Leave the record database out.")
    var topicsOnly = false

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption
    @OptionGroup var output: JSONOption

    func validate() throws {
        guard self.records == nil || !self.topicsOnly else {
            throw ValidationError("--records and --topics-only exclude each other")
        }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let anchor = try self.anchor.map(Self.readAnchor)
        let path = self.topicsOnly ? nil : self.records ?? configuration.data.records
        let report = try await AuditAccess.use(configuration) { access in
            let progress = AuditProgress("partitions")
            defer { progress.finish() }
            return try await AuditVerifier(
                log: access.log,
                deployment: access.deployment,
                parallelism: ProcessInfo.processInfo.activeProcessorCount
            )
            .run(records: path, anchor: anchor) { progress.update($0, of: $1) }
        }
        if self.output.json {
            StandardOutput.print(report.json)
        } else {
            for note in report.notes { StandardError.write("note: \(note)\n") }
            for finding in report.findings {
                StandardOutput.print("\(finding.subject.rawValue)  \(finding.place)  \(finding.detail)")
            }
            StandardOutput.print(report.summary)
        }
        guard report.isSound else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }

    private static func readAnchor(_ path: String) throws(CommandFailure) -> Anchor {
        let text = try InputFile.text(of: path)
        guard let json = try? JSONValue(parsing: text), let anchor = Anchor(json: json) else {
            throw CommandFailure(.badData, "\(path) is no anchor: `intentd audit anchor` prints one")
        }
        return anchor
    }
}
