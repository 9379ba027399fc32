package import IntentEvents
internal import IntentKit
package import IntentRuntime

/// An open interaction as the stage that owns it has it in its state.
package struct OpenInteraction: Hashable, Sendable {
    /// What it is doing.
    package enum Activity: Hashable, Sendable {
        /// An attempt is running.
        case running(attempt: Int)
        /// Its parked turn waits for the next attempt.
        case retrying(attempt: Int, at: Timestamp)
        /// It waits by itself for the next attempt, or an operator.
        case waiting(HandleWait)
        /// A prompt is open.
        case asked(PromptID)
        case app
        /// Its effects are undone.
        case undoing
        /// It is on its way to the next stage, or its turn is about to end.
        case between

        /// Whether there is an attempt that can begin now.
        package var canRetry: Bool {
            switch self {
            case .retrying: true
            case .waiting(let wait): wait.reason == .retry || wait.reason == .lookup
            case .running, .asked, .app, .undoing, .between: false
            }
        }
    }

    package var id: InteractionID
    package var user: UserID
    /// Its request; nil while its first turn is running.
    package var request: RequestID?
    package var stage: Stage
    package var activity: Activity

    /// What it is doing, in a sentence.
    package var summary: String {
        switch self.activity {
        case .running(let attempt): "attempt \(attempt) of \(self.stage) is running"
        case .retrying(let attempt, let time): "attempt \(attempt) of \(self.stage) begins at \(time)"
        case .waiting(let wait):
            switch wait.reason {
            case .operator: "it waits for a decision (`intentd waiting decide`)"
            case .paused:
                "\(self.stage) is paused\(wait.pause.map { " since \($0.since) by \($0.by)" } ?? "") (`intentd resume`)"
            case .retry, .lookup: "attempt \(wait.attempts + 1) of \(self.stage) begins at \(wait.at)"
            }
        case .asked(let prompt): "it waits for the answer to the prompt \(prompt)"
        case .app: "it waits for the app"
        case .undoing: "its effects are being undone"
        case .between: "\(self.stage) passes it on"
        }
    }

    init(_ interaction: Interaction, _ stage: Stage) {
        self.id = interaction.id
        self.user = UserID(interaction.user.id)
        self.request = interaction.request
        self.stage = stage
        if interaction.undoing != nil {
            self.activity = .undoing
        } else if let wait = interaction.waiting {
            self.activity = .waiting(wait)
        } else if let prompt = interaction.prompt {
            self.activity = .asked(prompt.id(interaction: interaction.id, stage: stage))
        } else {
            self.activity = interaction.appDeadline == nil ? .between : .app
        }
    }

    init?(_ parked: ParkedTurn, of user: UserID, _ stage: Stage) {
        guard let id = parked.interactionID else { return nil }
        self.id = id
        self.user = user
        self.stage = stage
        let event = try? parked.event.decoded()
        self.request = event?.interaction?.request ?? event?.request
        if self.request == nil, event?.knownType == .intentRequested {
            let position = parked.event.position
            self.request = RequestID("\(position.partition):\(position.offset)")
        }
        self.activity =
            parked.retryAt.map { .retrying(attempt: parked.attempt, at: $0) } ?? .running(attempt: parked.attempt)
    }
}
