internal import IntentEvents
internal import IntentKit

/// A conversation that is set aside for another one, and comes back when that one ends (R78).
///
/// The other interaction carries the id of the prompt, which names the stage that has it; no stage keeps a list.
extension StageTurn {
    /// How often a prompt's time is extended at most.
    private static var maximumExtensions: Int { 10 }

    /// Extends the time of a prompt that is set aside; puts one that comes back once more, with the same id.
    func recallPrompt() {
        guard let promptID = self.turn.event.promptID, promptID.stage == self.turn.stage,
            let what = self.turn.event["what"]?.string.flatMap(PromptRecall.init(rawValue:)),
            let known = self.turn.known(promptID.interaction),
            let interaction = self.turn.state(StateName.interaction(known.request), Interaction.self),
            interaction.prompt?.number == promptID.number
        else { return }
        self.turn.act(on: interaction) { interaction in
            self.extendPrompt(of: &interaction)
            switch what {
            case .aside:
                self.turn.keep(interaction)
                self.turn.record.outcome = .noted
            case .front: self.turn.repeatPrompt(of: &interaction)
            }
        }
    }

    private func extendPrompt(of interaction: inout Interaction) {
        guard var prompt = interaction.prompt, !prompt.kind.waitsForEvent,
            prompt.extensions < Self.maximumExtensions
        else { return }
        let settings = self.turn.settings
        var expiresAt = min(
            self.turn.now + settings.promptTimeout.milliseconds,
            interaction.startedAt + settings.maxAge.milliseconds
        )
        if let wanted = interaction.expiresAt { expiresAt = min(expiresAt, wanted) }
        guard expiresAt > prompt.expiresAt else { return }
        prompt.expiresAt = expiresAt
        prompt.extensions += 1
        interaction.prompt = prompt
    }
}

/// What happens to the conversation with a prompt.
package enum PromptRecall: String, Sendable, CaseIterable {
    /// Another one begins, for which it is set aside.
    case aside
    /// The other one has ended: it is in front again.
    case front
}

extension Turn {
    /// Tells the stage of a prompt that an interaction sets it aside, or goes back to it.
    func recall(_ what: PromptRecall, _ interaction: Interaction) {
        guard let promptID = interaction.setsAside else { return }
        // A worker that does not know it would reject it.
        self.needFormat2()
        self.emit(
            .promptRecalled,
            about: interaction,
            to: .signals,
            stage: promptID.stage,
            data: [
                "promptId": promptID.json, "user": ["id": .string(interaction.user.id)],
                "what": .string(what.rawValue),
            ]
        )
    }

    /// Whether a prompt may be open, as far as resolve knows; a later stage knows for certain.
    func mayBeOpen(_ promptID: PromptID) -> Bool {
        guard self.mayWriteFormat2(), let known = self.known(promptID.interaction) else { return false }
        switch (promptID.stage, known.whereabouts) {
        case (.resolve, .here):
            let interaction = self.state(StateName.interaction(known.request), Interaction.self)
            return interaction?.prompt?.number == promptID.number
        case (.confirm, .passed): return true
        default: return false
        }
    }
}
