package import IntentEvents
package import IntentKit

/// What the handler of a turn sends with its response, in the order in which it asked for it (R77).
package struct FollowUpList: Sendable {
    /// A follow-up with its id.
    package struct Element: Hashable, Sendable {
        package var followUp: FollowUp
        /// The id of the interaction that it begins.
        package var id: InteractionID
    }

    package private(set) var elements: [Element] = []
    /// The ids of those that it cancels.
    package private(set) var cancelled: [InteractionID] = []

    package init() {}

    /// Adds a follow-up.
    ///
    /// - Parameters:
    ///   - followUp: The follow-up.
    ///   - interactionID: The id of the interaction.
    ///   - turn: Makes the id's digits: the turn has the same ids when it runs again (R7).
    /// - Returns: Its id.
    /// - Throws: ``FollowUpError`` when there are too many, or another one has its name.
    package mutating func add(
        _ followUp: FollowUp,
        of interactionID: String,
        in turn: TurnIdentifiers
    ) throws(FollowUpError) -> String {
        try self.checkCount(followUp.name)
        guard !self.elements.contains(where: { $0.followUp.name == followUp.name }) else {
            throw FollowUpError(followUp.name, "has the name of another one of this turn")
        }
        let digits = turn.id(generation: 0, ordinal: "f\(self.elements.count)").prefix(8)
        let id = followUp.id(of: interactionID, digits: digits)
        self.elements.append(Element(followUp: followUp, id: InteractionID(id)))
        return id
    }

    /// Cancels a follow-up.
    package mutating func cancel(_ interactionID: String) throws(FollowUpError) {
        try self.checkCount(interactionID)
        self.cancelled.append(InteractionID(interactionID))
    }

    private func checkCount(_ name: String) throws(FollowUpError) {
        guard self.elements.count + self.cancelled.count < FollowUp.maximumCount else {
            throw FollowUpError(name, "is one too many: a turn has \(FollowUp.maximumCount) at most")
        }
    }
}
