import ArgumentParser
import IntentAudit
import IntentKit
import IntentOperations
import IntentRecords

/// `intentd audit show`: an interaction's story, turn by turn.
struct AuditShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an interaction's history (events, reads, decisions, effects), or its state at one turn.",
        discussion: "Reads the record database. Needs no broker."
    )

    @OptionGroup var selection: InteractionOptions

    @Option(help: ArgumentHelp("Show the state at this turn of the history, from 1.", valueName: "turn"))
    var at: Int?

    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load()
        let story = try await self.selection.story(configuration)
        let masking = self.masking.masking(configuration)
        let turns = TurnAccount.all(of: story)
        let text = StoryText(masking)
        guard let at else {
            if self.output.json {
                var members = masking.masked(story.interaction).object ?? [:]
                members["story"] = .array(turns.map { masking.masked($0) })
                StandardOutput.print(.object(members))
                return
            }
            StandardOutput.printWrapped(text.heading(story.interaction), TextStyle.output.strong)
            for turn in turns {
                for line in text.lines(turn, StateThen(at: turn, in: turns)) {
                    StandardOutput.printWrapped(line, line.hasPrefix("#") ? TextStyle.output.strong : { $0 })
                }
            }
            return
        }
        guard let turn = turns.first(where: { $0.number == at }) else {
            throw OperationError(.noInput, "\(self.selection.interaction) has turns 1 to \(turns.count), not \(at)")
        }
        let state = StateThen(at: turn, in: turns)
        if self.output.json {
            StandardOutput.print(masking.masked(state, at: turn))
        } else {
            for line in text.lines(state, at: turn) { StandardOutput.printWrapped(line) }
        }
    }
}
