import ArgumentParser
import Foundation
import IntentAudit
import IntentKit
import IntentLedger
import IntentOperations
import IntentRuntime

/// `intentd audit verify`: compares all records with each other.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the chains of turns, what they processed and wrote, the state, and the records.",
        discussion: """
            Each turn's digest covers its event, the state before it, its outputs and the digest of the turn before. All of \
            that is compared with the topics, the record database with the topics row for row, and the effects' ledger with \
            what turns journaled. An anchor, created earlier with `intentd audit anchor` and kept elsewhere, also shows \
            whether an end was cut off or everything was rewritten; --public-key checks its signature. One anchor within \
            the retained range is enough. What cannot be verified is noted on standard error. The exit status is 1 if \
            there are discrepancies.
            """
    )

    @Option(
        help: ArgumentHelp(
            "A file or directory of anchors that were kept elsewhere. Can be repeated.",
            valueName: "path"
        )
    )
    var anchor: [String] = []

    @Option(
        help: ArgumentHelp("The public key of the anchors' signatures, as `audit key` prints it.", valueName: "digits"),
        transform: { text in
            guard let key = VerifyingKey(text) else {
                throw ValidationError("\(text) is not a public key of 64 hexadecimal digits")
            }
            return key
        }
    )
    var publicKey: VerifyingKey?

    @Option(help: ArgumentHelp("The record database. (default: the data directory's)", valueName: "file"))
    var records: String?

    @Option(
        help: ArgumentHelp("The file with the effects' ledger. (default: the deployment's)", valueName: "file")
    )
    var store: String?

    @Flag(help: "Do not verify the record database and the ledger.")
    var topicsOnly = false

    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    @Option(help: "Maximum number of findings to show per interaction.")
    var limit = 10

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard self.records == nil && self.store == nil || !self.topicsOnly else {
            throw ValidationError("--topics-only excludes --records and --store")
        }
        guard self.limit >= 1 else { throw ValidationError("--limit is 1 or more") }
        guard self.publicKey == nil || !self.anchor.isEmpty else {
            throw ValidationError("--public-key needs --anchor")
        }
    }

    /// The ledger that is compared: in the named file, else the deployment's.
    private func ledger(_ configuration: Configuration) async throws -> LedgerLocation {
        if let store = self.store { .file(store) } else { try await configuration.ledgerLocation() }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let anchors = try self.anchor.flatMap { path throws(OperationError) in try AnchorFiles.read(path) }
        let path = self.topicsOnly ? nil : self.records ?? configuration.data.records
        let store = self.topicsOnly ? nil : try await self.ledger(configuration)
        let report = try await LogAccess.find(configuration)
            .use { log in
                let progress = WorkProgress("records")
                defer { progress.finish() }
                return try await AuditVerifier(
                    log: log,
                    deployment: try await Deployment.load(prefix: configuration.prefix, from: log),
                    parallelism: ProcessInfo.processInfo.activeProcessorCount
                )
                .run(records: path, store: store, anchors: anchors, publicKey: self.publicKey) {
                    progress.update($0, of: $1)
                }
            }
        let text = FindingText(masking: self.masking.masking(configuration), limit: self.limit)
        if self.output.json {
            var members = report.json.object ?? [:]
            members["findings"] = .array(report.findings.map(text.json))
            StandardOutput.print(.object(members))
        } else {
            for note in report.notes { StandardError.write("note: \(note)\n") }
            for group in report.groups {
                StandardOutput.printWrapped(text.heading(group), TextStyle.output.strong)
                for line in text.lines(group) { StandardOutput.printWrapped(line) }
            }
            StandardOutput.printWrapped(report.summary, report.isSound ? TextStyle.output.good : TextStyle.output.bad)
        }
        guard report.isSound else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }
}
