import ArgumentParser
import IntentAudit
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
    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load()
        let story = try await self.selection.story(configuration)
        let masking = self.masking.masking(configuration)
        var line = RecordLine(prefix: configuration.prefix, masking: masking, style: .output)
        let records = story.events.map { $0.record(prefix: configuration.prefix) }
        for record in records { line.record(record) }
        let times = InteractionTimes(story, now: SystemRuntimeClock().now)
        let summary = masking.masked(story.interaction, times)
        let turns = TurnAccount.all(of: story)
        let failure = InteractionFailure(story, turns, prefix: configuration.prefix, masking)
        if self.output.json {
            var members = summary.object ?? [:]
            members["failure"] = failure?.json
            members["chain"] = story.chain.json
            members["operators"] = story.acts.isEmpty ? nil : .array(story.acts.map(\.json))
            members["parts"] = times?.parts
            members["events"] = .array(records.map(line.json))
            StandardOutput.print(.object(members))
            return
        }
        for line in failure?.lines ?? [] { StandardOutput.printWrapped(line) }
        for (name, value) in (summary.object ?? [:]).sorted(by: { $0.key < $1.key })
        where !["parameters", "time"].contains(name) {
            StandardOutput.printWrapped("\(name): \(EventSummary.value(value))")
        }
        for line in times?.lines ?? [] { StandardOutput.printWrapped(line) }
        for (name, value) in (summary["parameters"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) where !value.isNull
        {
            StandardOutput.printWrapped("  \(name): \(EventSummary.value(value))")
        }
        for text in story.chain.lines { StandardOutput.printWrapped(text) }
        for act in story.acts { StandardOutput.printWrapped(act.line) }
        for record in records {
            for part in WordWrap.output.lines(line.text(record)) { StandardOutput.print(part) }
        }
    }
}

extension InteractionTimes {
    /// Where the time went, for people: the whole, and each part that is longer than nothing.
    var lines: [String] {
        let states = InteractionState.allCases.filter { self.milliseconds($0) > 0 }
        let parts = states.map { state -> String in
            let attempts = self.spans.filter { $0.state == state }.compactMap(\.attempt).max() ?? 1
            return "  \(state.rawValue): \(self.milliseconds(state)) ms"
                + (attempts > 1 ? ", \(attempts) attempts" : "")
        }
        return ["time: \(self.total) ms"] + parts
    }
}

extension InteractionFailure {
    /// Why it failed, for people.
    var lines: [String] {
        let parts: [(name: String, text: String?)] = [
            ("error", self.error), ("failing call", self.call?.text),
            ("attempts", self.call == nil ? nil : String(self.attempts)),
            ("dead letter", self.letter.map { "\($0.text) (intentd dead-letters show \($0.text))" }),
            ("redriven as", self.redrivenAs?.text), ("what to do", self.advice),
        ]
        let lines = parts.compactMap { part in part.text.map { "  \(part.name): \($0)" } }
        return (["failed: \(self.summary)"] + lines).map(SafeText.line)
    }
}

extension RecordedAct {
    /// Who did what, in a line.
    fileprivate var line: String {
        SafeText.line("operator: \(self.act) by \(self.by) at \(self.at)" + (self.reason.map { ", \($0)" } ?? ""))
    }
}

extension InteractionChain {
    /// The form for programs; nil when there is nothing.
    fileprivate var json: JSONValue? {
        guard !self.isEmpty else { return nil }
        return .members([
            "following": self.following.isEmpty ? nil : .array(self.following.map(Self.json)),
            "origin": self.origin.map(Self.json),
        ])
    }

    private static func json(_ link: Link) -> JSONValue {
        .members([
            "at": link.at.map { .string($0.description) },
            "intent": link.intent.map(JSONValue.string),
            "interaction": link.id?.json,
            "name": .string(link.name),
            "request": link.interaction?.request.json,
            "state": link.state.map(JSONValue.string),
            "user": link.userID?.json,
        ])
    }

    /// The links in words.
    fileprivate var lines: [String] {
        (self.origin.map { ["follows: \(Self.text($0))"] } ?? []) + self.following.map { "started: \(Self.text($0))" }
    }

    private static func text(_ link: Link) -> String {
        let request = link.interaction.map { "request \($0.request)" }
        let state = link.state ?? (link.interaction == nil ? link.at.map { "at \($0)" } : nil)
        let parts = [link.name, link.intent, link.id?.text, link.userID.map { "user \($0)" }, request, state]
        return SafeText.line(parts.compactMap(\.self).joined(separator: "  "))
    }
}
