import ArgumentParser

/// `intentd records`: maintains the recorded data.
struct RecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Maintain the record database.",
        subcommands: [RecordsPruneCommand.self]
    )
}
