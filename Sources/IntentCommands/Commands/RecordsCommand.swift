import ArgumentParser

/// `intentd records`: looks after what was recorded.
struct RecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Look after the records.",
        subcommands: [RecordsPruneCommand.self]
    )
}
