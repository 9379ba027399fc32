public import Foundation

extension TurnContext {
    /// Notifies a user, beside the response: nothing waits for an answer (R77).
    ///
    /// ```swift
    /// try context.notify("reminder", saying: ["en": "Bring the card.", "de": "Bitte die Karte mitbringen."])
    /// ```
    /// The notification is sent in the transaction that commits the handler's response, and not at all if the handler
    /// throws, asks back or is tried again. Only in `handle` and `AppResponded`, at most 20 follow-ups a turn.
    /// - Parameters:
    ///   - name: Names it in this interaction, in at most 128 bytes.
    ///   - user: The id of the user; nil for the user of the interaction.
    ///   - time: When, up to 90 days from now; nil for now. A later notification needs format 2 (R57).
    ///   - words: The words, of at most 4 KiB, in the language of this interaction.
    ///   - details: Details to show, of at most 16 KiB of JSON.
    /// - Returns: The id by which a later one is cancelled.
    /// - Throws: An error that says which limit is exceeded, or that the name is used already.
    @discardableResult
    public func notify(
        _ name: String,
        user: String? = nil,
        at time: Date? = nil,
        saying words: LocalizedText,
        details: JSONObject = [:]
    ) throws -> String {
        try self.send(FollowUp(name, .notification(details), dialog: self.resolve(words), user: user, at: time))
    }

    /// Starts an intent when this interaction's response is committed: an interaction of its own (R77).
    ///
    /// ```swift
    /// var taxi = BookTaxi()
    /// taxi.destination = "Clinic"
    /// try context.start("taxi", taxi, saying: "About the way to the vet:")
    /// ```
    /// The new interaction has the values that are set, and the user is asked for the others. It shares nothing with this
    /// one: no effects, no consent, no sign-in. One for another user is always confirmed with that user, whatever the
    /// intent's policy. One for later can be cancelled until then with ``cancelStarted(_:)``. It needs format 2, as only
    /// versions that know follow-ups read it (R57).
    /// - Parameters:
    ///   - name: Names it in this interaction, in at most 128 bytes.
    ///   - intent: The intent, with at most 64 KiB of values.
    ///   - time: When, up to 90 days from now; nil for now.
    ///   - user: The id of the user; nil for the user of this interaction.
    ///   - words: What its first prompt begins with, in the language of this interaction.
    /// - Returns: The new interaction's id.
    /// - Throws: An error that says which limit is exceeded, or that the name is used already.
    @discardableResult
    public func start<Started: Intent>(
        _ name: String,
        _ intent: Started,
        at time: Date? = nil,
        for user: String? = nil,
        saying words: LocalizedText? = nil
    ) throws -> String {
        let snapshot = IntentDescription<Started>.known().snapshot(of: intent)
        let words = words.map(self.resolve)
        return try self.send(FollowUp(name, .intent(snapshot), dialog: words, user: user, at: time))
    }

    /// Cancels what this interaction or an earlier one of this user has started (R77).
    ///
    /// What is not due yet is not sent. An interaction that has begun ends as if the user had cancelled it, unless
    /// something has been done already.
    /// - Parameter interactionID: The id that ``start(_:_:at:for:saying:)`` or ``notify(_:user:at:saying:details:)`` has
    ///   returned.
    /// - Throws: An error that says that there are too many follow-ups, or that the id is too long.
    public func cancelStarted(_ interactionID: String) throws {
        guard self.followUps != .none else { throw FollowUpError(interactionID, "was cancelled \(Self.elsewhere)") }
        guard (1...FollowUp.maximumUser).contains(interactionID.utf8.count) else {
            throw FollowUpError(interactionID, "has an id that is empty or longer than \(FollowUp.maximumUser) bytes")
        }
        try self.host.cancel(followUp: interactionID)
    }

    private static let elsewhere = "outside of handle and AppResponded"

    /// Sends a follow-up with the response.
    ///
    /// - Returns: Its id.
    @discardableResult
    package func send(_ followUp: FollowUp) throws(FollowUpError) -> String {
        var followUp = followUp
        if let user = followUp.user, user.utf8.elementsEqual(self.user.id.utf8) { followUp.user = nil }
        if let problem = self.problem(with: followUp) ?? followUp.problem(now: self.now) {
            throw FollowUpError(followUp.name, problem)
        }
        return try self.host.send(followUp, of: self.interactionID)
    }

    private func problem(with followUp: FollowUp) -> String? {
        switch (self.followUps, followUp.content) {
        case (.none, _): return "was asked for \(Self.elsewhere)"
        case (.notifications, .notification) where followUp.at == nil: return nil
        case (.notifications, _): return "needs format 2: set formats.write: 2 when all workers are of this version"
        case (.all, .notification): return nil
        case (.all, .intent):
            guard self.followsFrom?.depth ?? 0 >= FollowUp.maximumDepth else { return nil }
            return "is one too many: \(FollowUp.maximumDepth) interactions follow from each other already"
        }
    }
}
