internal import IntentEvents
internal import IntentKit

/// Status updates after the terminal response, such as where a ride is (contract, section 2, `status.updated`).
///
/// The ended interaction is kept under a name of its own with the time of the next check. Each check is a turn that a
/// timer begins (R13), so that it is journaled and replayed like any other.
extension StageTurn {
    /// Asks the handler for the status, and notifies the user if it has changed.
    func updateStatus(request: RequestID, deadline: Timestamp) async throws {
        let name = StateName.followed(request)
        guard var followed = self.turn.state(name, FollowedInteraction.self), followed.dueAt == deadline
        else { return }
        try await self.turn.act(on: followed.interaction) { interaction in
            try await self.update(&followed, interaction, name)
        }
    }

    private func update(
        _ followed: inout FollowedInteraction,
        _ interaction: Interaction,
        _ name: StateName
    ) async throws {
        guard let entry = self.turn.registered(interaction),
            let updates = entry.registration.statusUpdates
        else {
            self.turn.removeState(name)
            return
        }
        self.turn.recordHandler(entry)
        let context = self.turn.context(for: interaction)
        let update: (response: HandlerResponse, isLast: Bool)
        do {
            update = try await self.turn.calling {
                try await entry.registration.statusUpdate(interaction.intent, context)
            }
        } catch let error as LedgerClosedError {
            throw JournaledError(message: "A status update only reads: \(error)", isTransient: false)
        }
        self.turn.handlerAnswered()
        self.turn.record.outcome = .noted
        if update.response.details != followed.reported {
            followed.reported = update.response.details
            self.turn.emit(
                .statusUpdated,
                about: interaction,
                to: .responses,
                data: .members([
                    "intent": interaction.intent.json,
                    "response": .object(update.response.details),
                    "user": ["id": .string(interaction.user.id)],
                    "view": self.turn.view(
                        of: interaction,
                        code: update.response.code,
                        status: .success,
                        response: update.response
                    ),
                ])
            )
            self.turn.record.outcome = .reported
        }
        followed.dueAt = self.turn.now + updates.every.milliseconds
        if update.isLast || followed.dueAt > followed.until {
            self.turn.removeState(name)
        } else {
            self.keep(followed)
        }
    }

    /// Schedules the next check after one that took too long.
    func postponeStatusUpdate(request: RequestID) {
        guard var followed = self.turn.state(StateName.followed(request), FollowedInteraction.self),
            let updates = self.turn.registered(followed.interaction)?.registration.statusUpdates
        else { return }
        followed.dueAt = self.turn.now + updates.every.milliseconds
        self.keep(followed)
    }

    /// Keeps an ended interaction until its next check.
    func keep(_ followed: FollowedInteraction) {
        self.turn.setState(StateName.followed(followed.interaction.request), followed)
    }
}

extension Event {
    /// The request of the ended interaction whose status a timer asks for; nil for every other event.
    var followedRequest: RequestID? {
        guard self.knownType == .timerFired, self["what"]?.string == TimerKind.status.rawValue else { return nil }
        return self.request
    }
}
