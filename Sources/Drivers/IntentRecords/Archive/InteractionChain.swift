package import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// What an interaction follows from, and what follows from it (R77).
package struct InteractionChain: Hashable, Sendable {
    /// One interaction, or notification, before or after it.
    package struct Link: Hashable, Sendable {
        /// The handler's name for the follow-up.
        package var name: String
        /// The id of the interaction, or of the later notification; nil where it is not known.
        package var id: InteractionID?
        /// The user; nil where it is not known.
        package var userID: UserID?
        /// The intent; nil for a notification, and where it is not known.
        package var intent: String?
        /// When it is due; nil for at once.
        package var at: Timestamp?
        /// Why it is not sent, if it is not.
        package var state: String?
        /// The interaction; nil while it has not begun, and where it is not recorded.
        package var interaction: RecordedInteraction?
    }

    /// What it follows from.
    package var origin: Link?
    /// What its handler has started, in order.
    package var following: [Link] = []

    package var isEmpty: Bool { self.origin == nil && self.following.isEmpty }
}

extension ArchiveQueries {
    /// The chain of an interaction with these events.
    func chain(of interaction: RecordedInteraction, _ events: [RecordedEvent]) throws -> InteractionChain {
        var chain = InteractionChain()
        // The stages pass on only an origin that is proved; a request itself may claim any.
        let header = events.lazy.filter { $0.position.topic != .requests }
            .compactMap { event in event.headers.first { $0.name == EventHeaderName.followsFrom }?.text }
            .first
        if let origin = header.flatMap(FollowUpOrigin.init) {
            var link = InteractionChain.Link(name: origin.name)
            if let position = RequestPosition(origin.request.text) {
                let request = RecordPosition(.requests, Int(position.partition), position.offset)
                link.interaction = try self.interaction(at: request)
            }
            link.id = link.interaction?.interactionID
            link.userID = link.interaction?.userID
            link.intent = link.interaction?.intent
            chain.origin = link
        }
        for event in events where event.type == EventType.intentResponded.rawValue {
            for started in event.json?["started"]?.array ?? [] {
                guard let name = started["name"]?.string, let id = started["interaction"]?.string else { continue }
                var link = InteractionChain.Link(name: name, id: InteractionID(id))
                link.userID = started["user"]?.string.map { UserID($0) } ?? interaction.userID
                link.intent = started["intent"]?.string
                link.at = started["at"]?.string.flatMap(Timestamp.init)
                link.interaction = try self.interactions(ofID: InteractionID(id)).first { $0.userID == link.userID }
                chain.following.append(link)
            }
        }
        for event in events where event.type == EventType.statusUpdated.rawValue {
            for started in event.json?["started"]?.array ?? [] {
                let id = started["interaction"]?.string.map { InteractionID($0) }
                guard let index = chain.following.firstIndex(where: { $0.id == id }) else { continue }
                chain.following[index].state = started["state"]?.string
            }
        }
        return chain
    }
}
