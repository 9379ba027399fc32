import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations

/// `intentd tail`: follows topics.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Follow topics, as text or NDJSON.",
        discussion: """
            Joins no group and commits nothing. Values of sensitive parameters are masked. Existing records are \
            printed in the order of time, across all partitions.
            """
    )

    @Argument(help: "Topics, with or without the prefix. (default: requests and responses)")
    var topics: [String] = []

    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    @Flag(help: "Start at the first record instead of the end.")
    var fromBeginning = false

    @Flag(help: "Stop at the current end of the topics.")
    var untilEnd = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let masking = self.masking.masking(configuration)
        let names = self.topics.isEmpty ? [Topic.requests.rawValue, Topic.responses.rawValue] : self.topics
        try await LogAccess.find(configuration)
            .useWaiting { log in
                var line = RecordLine(prefix: configuration.prefix, masking: masking, style: .output)
                let wrap = WordWrap.output
                let selection = try await TopicSelection(names, prefix: configuration.prefix, log: log)
                let follower = LogFollower(log: log, partitions: selection.partitions)
                try await follower.run(fromBeginning: self.fromBeginning, untilEnd: self.untilEnd) { records in
                    var text = ""
                    for record in records {
                        line.record(record)
                        let shown = self.output.json ? [line.json(record).description] : wrap.lines(line.text(record))
                        for part in shown { text += part + "\n" }
                    }
                    if !text.isEmpty { StandardOutput.write(text) }
                }
            }
    }
}
