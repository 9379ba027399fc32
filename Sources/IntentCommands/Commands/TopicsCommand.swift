import ArgumentParser

/// `intentd topics`: makes the topics and tells about them.
struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Make the topics, or tell about them.",
        subcommands: [TopicsCreateCommand.self, TopicsListCommand.self, TopicsDescribeCommand.self]
    )
}
