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
    /// Until when its user may undo it, after a success (R75); nil when nothing may be undone.
    package var undoableUntil: Timestamp?
    /// What its handler has started (R77), and what is cancelled when it is undone; empty where nothing may be undone.
    package var started: [InteractionID] = []

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
        if !self.started.isEmpty {
            text.name("started")
            text.strings(self.started.map(\.text))
        }
        text.member("startedAt", self.startedAt.milliseconds)
        text.member("undoableUntil", self.undoableUntil?.milliseconds)
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
        self.undoableUntil = json["undoableUntil"]?.integer.map(Timestamp.init(milliseconds:))
        self.started = (json["started"]?.value.array ?? []).compactMap { $0.string.map { InteractionID($0) } }
        self.history = (json["history"]?.string ?? "").compactMap(Interaction.PastPrompt.init(rawValue:))
    }
}
