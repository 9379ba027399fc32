package import IntentEvents
package import IntentKit

/// What a stage remembers of an interaction by its id: for retried requests and late answers (R8, R23).
package struct KnownInteraction: Hashable, Sendable, JSONWritable, JSONReadable {
    /// The interaction's owner, as far as this stage knows.
    package enum Whereabouts: String, Sendable {
        /// This stage owns it.
        case here
        /// It went to the next stage.
        case passed
        /// It went back to resolve.
        case returned
        case ended
    }

    /// The position of its request.
    package var request: RequestID
    /// The digest of the request's content (R8); nil for an entry from before it was kept.
    package var content: String?
    /// When this entry was last written.
    package var at: Timestamp
    /// When the first turn of its request began.
    package var startedAt: Timestamp
    /// Its owner.
    package var whereabouts: Whereabouts
    /// The outcomes of its prompts, in order.
    package var history: [Interaction.PastPrompt]

    /// Describes an interaction as it is now.
    package init(_ interaction: Interaction, at: Timestamp, whereabouts: Whereabouts) {
        self.request = interaction.request
        self.content = interaction.content
        self.at = at
        self.startedAt = interaction.startedAt
        self.whereabouts = whereabouts
        self.history = interaction.history
    }

    /// Writes the form in state.
    package func write(to text: inout JSONText) {
        text.beginObject()
        text.member("at", self.at.milliseconds)
        text.member("content", self.content)
        if !self.history.isEmpty { text.member("history", String(self.history.map(\.rawValue))) }
        text.member("request", self.request.text)
        text.member("startedAt", self.startedAt.milliseconds)
        text.member("where", self.whereabouts.rawValue)
        text.endObject()
    }

    package init?(_ json: JSONView) {
        guard let request = json["request"]?.string, let at = json["at"]?.integer,
            let startedAt = json["startedAt"]?.integer,
            let whereabouts = json["where"]?.string.flatMap(Whereabouts.init(rawValue:))
        else { return nil }
        self.request = RequestID(request)
        self.content = json["content"]?.string
        self.at = Timestamp(milliseconds: at)
        self.startedAt = Timestamp(milliseconds: startedAt)
        self.whereabouts = whereabouts
        self.history = (json["history"]?.string ?? "").compactMap(Interaction.PastPrompt.init(rawValue:))
    }
}
