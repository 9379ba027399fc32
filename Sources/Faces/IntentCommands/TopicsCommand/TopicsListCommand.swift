import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRuntime

/// `intentd topics list`: the deployment's topics.
struct TopicsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the deployment's topics.")

    @OptionGroup var output: JSONOption

    @Flag(help: "List all topics of the brokers.")
    var all = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let topics = try await LogAccess.find(configuration).use { log in try await log.topics() }
            .filter { self.all || Topic(name: $0.name, prefix: configuration.prefix) != nil }
        if self.output.json {
            for topic in topics { StandardOutput.print(topic.json) }
            return
        }
        guard !topics.isEmpty else {
            StandardError.report(
                "there are no topics of \(configuration.prefix): create them with `intentd topics create`"
            )
            return
        }
        var table = Table("TOPIC", ">PARTITIONS", ">COPIES", "CLEANUP", "RETENTION")
        for topic in topics {
            table.add(
                topic.name.text,
                String(topic.partitions),
                String(topic.replicationFactor),
                topic.configuration["cleanup.policy"] ?? "delete",
                topic.retention
            )
        }
        table.show()
    }
}
