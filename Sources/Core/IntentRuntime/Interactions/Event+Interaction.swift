package import IntentEvents
internal import IntentKit

extension Event {
    /// The interaction that the event passes on; nil when there is none, or it cannot be read.
    package var interaction: Interaction? {
        let (id, userID) = (self.subject, self.userID)
        var interaction: Interaction?
        self.fields.withView { data in
            guard let json = data["interaction"] else { return }
            interaction = Interaction(json, id: id, userID: userID)
        }
        return interaction
    }
}
