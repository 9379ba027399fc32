import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd topics create`: creates the missing topics.
struct TopicsCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create missing topics. Existing topics are not changed."
    )

    @OptionGroup var output: JSONOption

    @Option(help: "Number of partitions of each topic; cannot be changed later. (default: 8)")
    var partitions: Int?

    @Option(help: "Replication factor of each topic. (default: the number of brokers, up to three)")
    var replicationFactor: Int?

    @Option(help: "Minimum in-sync replicas of each topic. (default: two, or one with a single broker)")
    var minInsyncReplicas: Int?

    @Option(help: "Retention of the requests and journal topics, in days. (default: 30)")
    var retentionDays: Int?

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var settings: [(setting: Setting, option: String, value: SettingValue)] = []
        for (setting, option, number) in [
            (Setting.topicsPartitions, "--partitions", self.partitions),
            (Setting.topicsReplicationFactor, "--replication-factor", self.replicationFactor),
            (Setting.topicsMinInsyncReplicas, "--min-insync-replicas", self.minInsyncReplicas),
            (Setting.topicsRetentionDays, "--retention-days", self.retentionDays),
        ] {
            guard let number else { continue }
            guard let value = setting.type.read(String(number)) else {
                throw ValidationError("\(option) must be \(setting.type.expectation), not \(number)")
            }
            settings.append((setting, option, value))
        }
        let configuration = try self.common.load(brokers: self.brokers, more: settings)
        let (deployment, created) = try await LogAccess.find(configuration)
            .use { log in
                try await TopicSetup.ensure(configuration, on: log)
            }
        if self.output.json {
            StandardOutput.print(
                .object([
                    "created": .array(created.sorted().map(\.json)), "prefix": .string(deployment.prefix),
                    "partitions": .integer(Int64(deployment.partitions)),
                ])
            )
        } else {
            for name in created.sorted() { StandardOutput.print("created \(name)") }
            if created.isEmpty {
                StandardOutput.print(
                    "all topics of \(deployment.prefix) exist, with \(deployment.partitions) partitions"
                )
            }
        }
    }
}
