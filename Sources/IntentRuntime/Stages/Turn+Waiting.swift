internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Finds the interactions of this user that wait for an unlocked device or a sign-in (SPEC R26), and sends the event
    /// to the stages behind.
    ///
    /// Each one goes on in a turn of its own, so that one whose handler fails takes no other with it.
    func resumeInteractions(waitingFor kind: PromptKind) {
        let deviceID = self.event.data["device"]?["id"]?.string
        if kind == .unlockRequired && deviceID == nil {
            self.reject(.invalid, "device.unlocked names the device: set data.device.id.")
            return
        }
        for name in self.stateNames(prefix: StateName.interactions) {
            guard let interaction = self.state(name).flatMap(Interaction.init(json:)), let prompt = interaction.prompt,
                prompt.kind == kind, kind != .unlockRequired || interaction.device.id == deviceID
            else { continue }
            self.interaction = interaction
            self.emit(
                .interactionResumed,
                to: .signals,
                stage: self.stage,
                data: [
                    "promptId": .string(prompt.id(interaction: interaction.id, stage: self.stage)),
                    "user": ["id": .string(interaction.user.id)],
                ]
            )
        }
        self.interaction = nil
        _ = self.forwardToNextStage()
        self.record.outcome = .noted
    }

    /// Goes on with an interaction whose device was unlocked, or whose user signed in, if it still waits for that.
    func goOn() async throws {
        guard let request = self.event.request, var interaction = self.openInteraction(request: request),
            let prompt = interaction.prompt, prompt.kind.waitsForEvent,
            prompt.id(interaction: interaction.id, stage: self.stage) == self.event.data["promptId"]?.string
        else { return }
        interaction.closePrompt(as: .answered)
        if prompt.kind == .unlockRequired {
            interaction.device.isLocked = false
        } else {
            interaction.user.isAuthenticated = true
        }
        self.interaction = interaction
        guard try await !self.endIfOverdue() else { return }
        switch self.stage {
        case .resolve: try await self.resolveParameters()
        case .confirm: try await self.runConfirm()
        case .handle: break
        }
    }

    /// Keeps a user's vocabulary, in log order with the user's requests (SPEC R37), and sends it to the stages behind.
    func noteVocabulary(_ type: EventType) {
        if type == .vocabularyRemoved {
            for name in self.stateNames(prefix: StateName.vocabularies) { self.setState(name, nil) }
        } else {
            guard
                let vocabularyType = self.event.data["type"]?.string.flatMap(VocabularyStringType.init(rawValue:)),
                let strings = self.event.data["strings"]?.array
            else {
                self.reject(.invalid, "A vocabulary has a data.type of INVocabularyStringType and a list data.strings.")
                return
            }
            let entries = strings.compactMap(VocabularyEntry.init(json:))
            guard entries.count == strings.count else {
                self.reject(
                    .invalid,
                    "A vocabulary's strings are texts, or objects with spokenPhrase, of at most 1,024 bytes of UTF-16."
                )
                return
            }
            self.setState(
                StateName.vocabulary(vocabularyType),
                [
                    "version": .string(self.input.stored.position.description),
                    "strings": .array(entries.map(\.json)),
                ]
            )
        }
        _ = self.forwardToNextStage()
        self.record.outcome = .noted
    }
}
