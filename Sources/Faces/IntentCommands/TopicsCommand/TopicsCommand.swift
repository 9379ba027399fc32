import ArgumentParser

/// `intentd topics`: creates and describes the topics.
struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Make the topics, tell about them, or say who may do what on them.",
        subcommands: [
            TopicsCreateCommand.self, TopicsListCommand.self, TopicsDescribeCommand.self, TopicsACLsCommand.self,
        ]
    )
}
