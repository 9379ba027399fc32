import ArgumentParser

/// `intentd waiting`: interactions whose outcome is unknown (R76).
struct WaitingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiting",
        abstract: "List interactions that wait for an operator, or decide about them.",
        discussion: """
            An interaction waits for an operator when its service does not know what became of a post. Look into the \
            service's own records, and say what you have found. Nothing is posted meanwhile.
            """,
        subcommands: [WaitingListCommand.self, WaitingDecideCommand.self]
    )
}
