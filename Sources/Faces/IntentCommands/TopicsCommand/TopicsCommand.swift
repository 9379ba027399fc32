import ArgumentParser

/// `intentd topics`: creates and describes the topics.
struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Create, list, or describe topics, and manage their ACLs.",
        subcommands: [
            TopicsCreateCommand.self, TopicsListCommand.self, TopicsDescribeCommand.self, TopicsACLsCommand.self,
        ]
    )
}
