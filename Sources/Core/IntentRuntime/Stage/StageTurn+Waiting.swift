internal import IntentEvents
internal import IntentKit

extension StageTurn {
    /// Finds the interactions of this user that wait for an unlocked device or a sign-in (R26), and forwards the event
    /// to the next stage.
    ///
    /// Each interaction continues in a turn of its own, so that a failing handler affects no other interaction.
    func resumeInteractions(waitingFor kind: PromptKind) {
        let deviceID = self.turn.event.data["device"]?["id"]?.string.map { DeviceID($0) }
        if kind == .unlockRequired && deviceID == nil {
            self.turn.reject(.invalid, "device.unlocked names the device: set data.device.id.")
            return
        }
        for name in self.turn.stateNames(prefix: StateName.interactions) {
            guard let interaction = self.turn.state(name, Interaction.self), let prompt = interaction.prompt,
                prompt.kind == kind, kind != .unlockRequired || interaction.device.id.map({ DeviceID($0) }) == deviceID
            else { continue }
            self.turn.emit(
                .interactionResumed,
                about: interaction,
                to: .signals,
                stage: self.turn.stage,
                data: [
                    "promptId": prompt.id(interaction: interaction.id, stage: self.turn.stage).json,
                    "user": ["id": .string(interaction.user.id)],
                ]
            )
        }
        _ = self.turn.forwardToNextStage()
        self.turn.record.outcome = .noted
    }

    /// Continues an interaction whose device was unlocked, or whose user signed in, if it still waits for that.
    func resume() async throws {
        guard let request = self.turn.event.request, var interaction = self.turn.openInteraction(request: request),
            let prompt = interaction.prompt, prompt.kind.waitsForEvent,
            prompt.id(interaction: interaction.id, stage: self.turn.stage) == self.turn.event.promptID
        else { return }
        interaction.closePrompt(as: .answered)
        if prompt.kind == .unlockRequired {
            interaction.device.isLocked = false
        } else {
            interaction.user.isAuthenticated = true
        }
        try await self.turn.act(on: interaction) { interaction in
            guard try await !self.endIfOverdue(&interaction) else { return }
            try await self.proceed(&interaction)
        }
    }

    /// Stores a user's vocabulary, in log order with the user's requests (R37), and forwards it to the next stage.
    func recordVocabulary(_ type: EventType) {
        if type == .vocabularyRemoved {
            for name in self.turn.stateNames(prefix: StateName.vocabularies) { self.turn.removeState(name) }
        } else {
            let name: StateName
            let entries: [VocabularyEntry]
            do throws(InvalidVocabularyError) {
                (name, entries) = try self.readVocabulary()
            } catch {
                self.turn.reject(.invalid, error.description)
                return
            }
            let vocabulary = UserVocabulary(version: self.turn.input.stored.position.description, entries: entries)
            self.turn.setState(name, StateEntry(text: vocabulary.json.utf8))
        }
        _ = self.turn.forwardToNextStage()
        self.turn.record.outcome = .noted
    }

    /// The contents of a `vocabulary.replaced`: the name of its state entry, and its terms.
    private func readVocabulary() throws(InvalidVocabularyError) -> (name: StateName, entries: [VocabularyEntry]) {
        let data = self.turn.event.data
        guard let type = data["type"]?.string.flatMap(VocabularyStringType.init(rawValue:)) else {
            let names = VocabularyStringType.allCases.map(\.rawValue).joined(separator: ", ")
            let given = "\(data["type"] ?? "missing")".prefix(80)
            throw InvalidVocabularyError("data.type is \(given); it is one of \(names)")
        }
        guard let strings = data["strings"]?.array else {
            throw InvalidVocabularyError("data.strings is \(data["strings"]?.kind ?? "missing"); it is a list of terms")
        }
        guard strings.count <= VocabularyEntry.maximumCount else {
            throw InvalidVocabularyError(
                "data.strings has \(strings.count) terms; \(VocabularyEntry.maximumCount) are the most"
            )
        }
        for (index, string) in strings.enumerated() {
            guard let problem = VocabularyEntry.problem(in: string) else { continue }
            throw InvalidVocabularyError("data.strings[\(index)]: \(problem)")
        }
        return (StateName.vocabulary(type), strings.compactMap(VocabularyEntry.init(json:)))
    }
}

/// An invalid vocabulary: nothing of it is stored (R37).
private struct InvalidVocabularyError: Error {
    var description: String

    init(_ description: String) { self.description = description }
}
