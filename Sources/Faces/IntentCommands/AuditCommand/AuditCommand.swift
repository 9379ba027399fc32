import ArgumentParser

/// `intentd audit`: proves what happened (R46).
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Prove what happened: verify topics and records, tell an interaction's story.",
        subcommands: [
            AuditVerifyCommand.self, AuditAnchorCommand.self, AuditKeyCommand.self, AuditShowCommand.self,
            AuditExportCommand.self,
        ]
    )
}
