internal import IntentEvents
internal import IntentKit

/// What there is to tell after the terminal response, such as where a ride is (contract, section 2, `status.updated`).
///
/// The ended interaction is kept under a name of its own with the time of the next look. Each look is a turn that a
/// timer begins (R13), so that it is journaled and replayed like any other.
extension Turn {
    /// Begins to follow an interaction that ends well, if its handler has more to tell.
    func follow(_ interaction: Interaction, told response: HandlerResponse?) {
        guard self.stage == .handle,
            let updates = self.environment.registry[interaction.intent.name]?.registration.statusUpdates
        else { return }
        let followed = FollowedInteraction(
            interaction: interaction,
            told: response?.details ?? [:],
            dueAt: self.now + updates.every.milliseconds,
            until: self.now + updates.duration.milliseconds
        )
        self.keep(followed)
    }

    /// Asks the handler how things stand, and tells the user if it is news.
    func updateStatus(request: RequestID, deadline: Timestamp) async throws {
        let name = StateName.followed(request)
        guard var followed = self.state(name, FollowedInteraction.self), followed.dueAt == deadline
        else { return }
        self.interaction = followed.interaction
        guard let registration = self.environment.registry[followed.interaction.intent.name]?.registration,
            let updates = registration.statusUpdates
        else {
            self.removeState(name)
            return
        }
        self.noteHandler(registration)
        let context = self.context(for: followed.interaction)
        let update: (response: HandlerResponse, isLast: Bool)
        do {
            update = try await registration.statusUpdate(followed.interaction.intent, context)
        } catch let error as LedgerClosedError {
            throw JournaledError(message: "A status update only reads: \(error)", isTransient: false)
        }
        self.handlerAnswered()
        self.record.outcome = .noted
        if update.response.details != followed.told {
            followed.told = update.response.details
            self.emit(
                .statusUpdated,
                to: .responses,
                data: .members([
                    "intent": followed.interaction.intent.json,
                    "response": .object(update.response.details),
                    "user": ["id": .string(followed.interaction.user.id)],
                    "view": self.view(
                        of: followed.interaction,
                        code: update.response.code,
                        status: .success,
                        response: update.response
                    ),
                ])
            )
            self.record.outcome = .reported
        }
        followed.dueAt = self.now + updates.every.milliseconds
        if update.isLast || followed.dueAt > followed.until {
            self.removeState(name)
        } else {
            self.keep(followed)
        }
    }

    /// Looks again later after a look that took too long.
    func postponeStatusUpdate(request: RequestID) {
        guard var followed = self.state(StateName.followed(request), FollowedInteraction.self),
            let updates = self.environment.registry[followed.interaction.intent.name]?.registration.statusUpdates
        else { return }
        followed.dueAt = self.now + updates.every.milliseconds
        self.keep(followed)
    }

    private func keep(_ followed: FollowedInteraction) {
        self.setState(StateName.followed(followed.interaction.request), followed)
    }
}

extension Event {
    /// The request of the ended interaction whose status a timer asks for; nil for every other event.
    var followedRequest: RequestID? {
        guard self.knownType == .timerFired, self["what"]?.string == TimerKind.status.rawValue else { return nil }
        return self.request
    }
}
