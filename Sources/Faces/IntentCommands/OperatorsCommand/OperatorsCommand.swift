import ArgumentParser

/// `intentd operators`: what operators did (R93).
struct OperatorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operators",
        abstract: "Show what operators did.",
        subcommands: [OperatorsLogCommand.self]
    )
}
