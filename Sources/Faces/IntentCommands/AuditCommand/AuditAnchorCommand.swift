import ArgumentParser
import IntentAudit
import IntentOperations
import IntentRuntime

/// `intentd audit anchor`: prints the heads of all chains, to be kept elsewhere.
struct AuditAnchorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "anchor",
        abstract: "Print an anchor (the heads of all chains), to keep where writers of the topics cannot write.",
        discussion: """
            A line of JSON, signed when audit.keyFile names a key. `intentd audit verify --anchor FILE` proves later that \
            nothing before it was changed. With --after, it contains the digest of the previous anchor. Workers \
            that run the recorder write anchors themselves when audit.anchorEvery is set.
            """
    )

    @Option(help: ArgumentHelp("The file whose last anchor this one follows.", valueName: "file"))
    var after: String?

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let key = try SigningKeyFile(configuration)?.read()
        let previous = try self.after.flatMap { try AnchorFiles.read($0).last }
        let anchor = try await WorkProgress.during {
            try await LogAccess.find(configuration)
                .use { log in
                    let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                    return try await Anchor.read(
                        deployment,
                        from: log,
                        at: SystemRuntimeClock().now,
                        after: previous,
                        signedBy: key
                    )
                }
        }
        StandardOutput.print(anchor.json)
    }
}
