internal import IntentEvents
internal import IntentKit

extension StageTurn {
    /// Sends the interaction back to resolve, with the user's corrections or with a question in it (R12c).
    func sendBack(_ interaction: inout Interaction, corrections: JSONObject = [:]) {
        interaction.isAccepted = false
        interaction.shown = nil
        interaction.redrive.yes = nil
        interaction.forgetAttempts()
        self.turn.emit(
            .interactionReturned,
            about: interaction,
            to: .signals,
            stage: .resolve,
            data: [
                "corrections": .object(corrections),
                "interaction": interaction.json,
                "user": ["id": .string(interaction.user.id)],
            ]
        )
        self.turn.removeState(StateName.interaction(interaction.request))
        self.turn.remember(interaction, whereabouts: .returned)
        self.turn.record.outcome = .returned
    }

    /// Sends the interaction back to resolve with a question about a value that this stage cannot use (R72c).
    func sendBack(_ interaction: inout Interaction, with asked: BackQuestion, about name: String) {
        var confirmed = interaction.confirmed[name]
        interaction.unsettle(name)
        if let index = asked.index {
            // What the user said yes to among the other values still counts.
            confirmed?[index] = nil
            interaction.confirmed[name] = confirmed
        }
        interaction.asked[name] = asked
        self.sendBack(&interaction)
    }

    /// The question of a handler as the interaction carries it.
    ///
    /// - Throws: ``ResolutionError`` when it asks nothing; ``FormatNeededError``.
    func backQuestion(
        _ question: HandlerQuestion,
        _ registration: IntentRegistration,
        _ interaction: Interaction
    ) throws -> BackQuestion {
        let asks = "The \(self.turn.stage) of \(registration.intentName) asks back"
        guard let parameter = registration.parameters.first(where: { $0.name == question.parameter }) else {
            throw ResolutionError(description: "\(asks) about a property that is no parameter of it.")
        }
        if let index = question.index {
            let values = parameter.isList ? interaction.intent.parameters[parameter.name]?.array ?? [] : []
            guard values.indices.contains(index) else {
                let detail = "\(asks) about value \(index) of \(parameter.name), which has \(values.count) in a list."
                throw ResolutionError(description: detail)
            }
        }
        var asked = BackQuestion(
            .needsValue,
            by: self.turn.stage,
            index: question.index,
            dialog: question.outcome.words?.text(locale: interaction.locale)
        )
        switch question.outcome.normalized.wordless {
        case .needsValue: break
        case .disambiguation(let options):
            asked.kind = .disambiguation
            asked.options = options
        case .confirmationRequired(let option, let reason):
            asked.kind = .confirmationRequired
            asked.item = option
            asked.reason = reason
        case .unsupported(let reason):
            asked.kind = .unsupported
            asked.reason = reason
        case .success, .notRequired, .saying, .ending:
            throw ResolutionError(
                description:
                    "\(asks) about \(parameter.name) with an outcome that asks nothing: it is needsValue, disambiguation, "
                    + "confirmationRequired or unsupported."
            )
        }
        try self.turn.requireFormat2(for: "A question of \(self.turn.stage)")
        return asked
    }
}

extension Turn {
    /// Checks that the turn may write what occurs only in format 2 (R57).
    ///
    /// - Throws: ``FormatNeededError`` while format 1 is written, unless the interaction carries something of format 2
    ///   already: then no worker that reads only 1 could have it.
    func requireFormat2(for subject: String) throws(FormatNeededError) {
        guard !self.mayWriteFormat2() else { return }
        throw FormatNeededError(subject: subject)
    }
}

/// A turn would write what an earlier version would misread.
struct FormatNeededError: Error, CustomStringConvertible {
    var subject: String

    /// What is needed.
    var description: String {
        "\(self.subject) needs format 2: set formats.write: 2 when all workers are of this version."
    }
}
