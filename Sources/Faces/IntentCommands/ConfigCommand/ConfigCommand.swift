import ArgumentParser

/// `intentd config`: the configuration.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show or check the configuration.",
        subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self]
    )
}
