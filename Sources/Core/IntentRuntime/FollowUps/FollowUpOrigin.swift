package import IntentEvents
internal import LibCrypto

/// What a request of intentd's own follows from: `ce_followsfrom`, `<request>/<depth>/<name>` (R77).
package struct FollowUpOrigin: Hashable, Sendable {
    /// The request of the interaction that it follows from.
    package var request: RequestID
    /// How many interactions it follows from, one after the other.
    package var depth: Int
    /// The name that the handler gave it.
    package var name: String

    package init(request: RequestID, depth: Int, name: String) {
        self.request = request
        self.depth = depth
        self.name = name
    }

    /// Reads the header; nil when it has another form.
    package init?(_ text: String) {
        // The search uses bytes, not characters: a name's first character may combine with the slash.
        let slash = UInt8(ascii: "/")
        guard let first = text.utf8.firstIndex(of: slash),
            let second = text.utf8[text.utf8.index(after: first)...].firstIndex(of: slash),
            let depth = Int(text[text.utf8.index(after: first)..<second]), depth > 0
        else { return nil }
        self.init(
            request: RequestID(String(text[..<first])),
            depth: depth,
            name: String(text[text.utf8.index(after: second)...])
        )
        guard self.request.isPosition, !self.name.isEmpty else { return nil }
    }

    /// The header.
    package var text: String { "\(self.request)/\(self.depth)/\(self.name)" }

    /// The id of the request, by which resolve recognises its own.
    ///
    /// Anyone who knows the deployment's id can make it. No right depends on it: a request with it is only confirmed more
    /// often than others, and shown as what follows.
    /// - Parameters:
    ///   - deployment: The deployment's id.
    ///   - user: The user whom it is for.
    ///   - interaction: The id of the interaction that it begins.
    ///   - value: The request's data.
    /// - Returns: 32 digits.
    package func identifier(deployment: String, user: UserID, interaction: InteractionID, value: [UInt8]) -> String {
        // Lengths prevent one text from standing for two requests.
        let who = "\(user.utf8.count)|\(user)|\(interaction.utf8.count)|\(interaction)"
        let text = "\(deployment)|follow|\(SHA256.digest(value).hex())|\(who)|\(self.text)"
        return SHA256.digest(Array(text.utf8)).hex(16)
    }
}

extension Interaction {
    /// What it follows from, if a handler has started it (R77).
    package var followsFrom: FollowUpOrigin? {
        self.passedThrough.isEmpty ? nil : self.passedThrough[EventHeaderName.followsFrom].flatMap(FollowUpOrigin.init)
    }

    /// Whether another user's handler has started it: then it is confirmed, whatever its intent's policy.
    var isForAnother: Bool { self.follows == nil && self.isFollowUp }

    /// Whether a handler has started it.
    var isFollowUp: Bool { !self.passedThrough.isEmpty && self.passedThrough[EventHeaderName.followsFrom] != nil }
}
