import ArgumentParser

/// `intentd records`: maintains the recorded data.
struct RecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Look after the records.",
        subcommands: [RecordsPruneCommand.self]
    )
}
