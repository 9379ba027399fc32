import ArgumentParser

/// `intentd audit`: proves what happened (R46).
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Audit a deployment: verify topics and records, and show an interaction's history.",
        subcommands: [
            AuditVerifyCommand.self, AuditAnchorCommand.self, AuditKeyCommand.self, AuditShowCommand.self,
            AuditExportCommand.self,
        ]
    )
}
