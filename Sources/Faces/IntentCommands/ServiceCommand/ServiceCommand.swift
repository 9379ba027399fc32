import ArgumentParser

/// `intentd service`: commands for the services that declared intents name.
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Try the services that declared intents name.",
        subcommands: [ServiceCheckCommand.self]
    )
}
