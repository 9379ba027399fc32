import ArgumentParser
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd topics describe`: settings, and each partition's offsets.
struct TopicsDescribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Describe topics: settings, and each partition's offsets."
    )

    @Argument(help: "Topics, with or without the prefix. (default: all of the deployment)")
    var topics: [String] = []

    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        try await LogAccess.find(configuration)
            .use { log in
                let selection = try await TopicSelection(self.topics, prefix: configuration.prefix, log: log)
                for topic in selection.topics {
                    let partitions = (0..<topic.partitions).map { TopicPartition(topic.name, $0) }
                    let earliest = try await log.offsets(partitions, at: .earliest)
                    let end = try await log.offsets(partitions, at: .end)
                    let offsets = partitions.map { ($0.partition, earliest[$0] ?? 0, end[$0] ?? 0) }
                    self.output.json ? self.printJSON(topic, offsets) : self.printText(topic, offsets)
                }
            }
    }

    private func printJSON(_ topic: TopicDescription, _ offsets: [(Int, Int64, Int64)]) {
        var members = topic.json.object ?? [:]
        members["offsets"] = .array(
            offsets.map { ["partition": .integer(Int64($0.0)), "earliest": .integer($0.1), "end": .integer($0.2)] }
        )
        StandardOutput.print(.object(members))
    }

    private func printText(_ topic: TopicDescription, _ offsets: [(Int, Int64, Int64)]) {
        let settings = topic.configuration.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        StandardOutput.print("\(topic.name)  \(settings.joined(separator: "  "))")
        var table = Table(">PARTITION", ">EARLIEST", ">END")
        for (partition, earliest, end) in offsets { table.add("\(partition)", "\(earliest)", "\(end)") }
        table.show(indent: "  ")
    }
}
