import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords
import IntentRuntime

/// `intentd show`: all records of an interaction.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an interaction: its status, and its events in order."
    )

    @OptionGroup var selection: InteractionOptions
    @OptionGroup var common: CommonOptions
    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    func run() async throws {
        let configuration = try self.common.load()
        let story = try await self.selection.story(configuration)
        let masking = self.masking.masking(configuration)
        var line = RecordLine(prefix: configuration.prefix, masking: masking, style: .output)
        let records = story.events.map { $0.record(prefix: configuration.prefix) }
        for record in records { line.record(record) }
        let summary = masking.masked(story.interaction)
        if self.output.json {
            var members = summary.object ?? [:]
            members["events"] = .array(records.map(line.json))
            StandardOutput.print(.object(members))
            return
        }
        for (name, value) in (summary.object ?? [:]).sorted(by: { $0.key < $1.key }) where name != "parameters" {
            StandardOutput.printWrapped("\(name): \(EventSummary.value(value))")
        }
        for (name, value) in (summary["parameters"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) where !value.isNull
        {
            StandardOutput.printWrapped("  \(name): \(EventSummary.value(value))")
        }
        for record in records {
            for part in WordWrap.output.lines(line.text(record)) { StandardOutput.print(part) }
        }
    }
}

extension RecordedEvent {
    /// The record as it was read from its topic.
    func record(prefix: String) -> LogRecord {
        LogRecord(
            topicPartition: TopicPartition(self.position.topic.name(prefix: prefix), self.position.partition),
            offset: self.position.offset,
            timestamp: self.timestamp.milliseconds,
            key: self.key,
            value: self.value,
            headers: self.headers
        )
    }
}
