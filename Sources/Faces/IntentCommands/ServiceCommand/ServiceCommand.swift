import ArgumentParser

/// `intentd service`: commands for the services that declared intents name.
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Test the services of declared intents.",
        subcommands: [ServiceCheckCommand.self]
    )
}
