import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd export`: everything of one user, as one archive.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export everything of one user as a tar archive.",
        discussion: """
            The archive has what topics, record database, ledger and state contain of the user, and an index.html for \
            people. Sensitive values are masked unless --reveal is given. Tables that handlers keep of their own are not \
            included.
            """
    )

    @Option(help: "The user.", transform: IdentityArgument.read)
    var user: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The archive, which must not exist yet.", valueName: "file.tar")
    )
    var output: String

    @Flag(help: "Do not read the topics: only the record database and the ledger.")
    var recordsOnly = false

    @OptionGroup var masking: RevealOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let masking = self.masking.masking(configuration)
        guard !self.recordsOnly else {
            return try await self.export(Operations(configuration, intents: nil, topics: nil), masking)
        }
        try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                try await self.export(Operations(configuration, intents: nil, topics: (log, deployment)), masking)
            }
    }

    private func export(_ operations: Operations, _ masking: Masking) async throws {
        let progress = WorkProgress("records")
        defer { progress.finish() }
        let summary = try await UserExport(of: UserID(self.user), operations, masking: masking)
            .write(to: self.output, at: SystemRuntimeClock().now) { progress.update(Int64($0)) }
        progress.finish()
        let parts = [
            Self.count(summary.records, "record"), Self.count(summary.interactions, "interaction"),
            Self.count(summary.effects, "effect"),
        ]
        StandardOutput.print("\(self.output): \(parts.joined(separator: ", ")). Open index.html in it.")
        if !masking.isRevealed { StandardError.report("sensitive values are masked: add --reveal for all values") }
    }

    private static func count(_ number: Int, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
}
