internal import IntentEvents
internal import IntentKit
internal import LibCrypto

/// The id of a request that `dead-letters redrive` sends again (R48): it proves who sent it.
///
/// It covers user and interaction, so that the proof is not valid for another user. Where the request carries what its
/// user has said yes to, it covers all of the data, so that the yes is valid for nothing else.
enum RedriveIdentifier {
    /// The largest number that is recognised: a client's invention must not affect the count.
    private static let maximumNumber = 1_000_000_000

    /// Makes the id of a request: a code that only a holder of the key can make.
    static func make(
        key: String,
        origin: RequestID,
        user: UserID,
        interaction: InteractionID,
        data: JSONValue
    ) -> String {
        var text = Self.text(origin: origin, user: user, interaction: interaction)
        // The digest comes first: an interaction's id may have any characters.
        if Self.carriesState(data) { text = "\(SHA256.digest(data.utf8).hex())|\(text)" }
        return Hex.text(HMACSHA256.code(for: Array(text.utf8), key: Array(key.utf8)).prefix(16))
    }

    /// Makes the id of an operator's decision: it covers all of its data (R76).
    static func make(key: String, decision data: JSONValue, user: UserID, interaction: InteractionID) -> String {
        let digest = SHA256.digest(data.utf8).hex()
        let text = "decision|\(digest)|\(user.utf8.count)|\(user)|\(interaction)"
        return Hex.text(HMACSHA256.code(for: Array(text.utf8), key: Array(key.utf8)).prefix(16))
    }

    /// Whether a request's id is of the form from before there were keys.
    ///
    /// That form was derived from the deployment's id, which every anchor names; it proves nothing that came later.
    static func isMade(_ event: Event, of deployment: String) -> Bool {
        guard let origin = event.passedThrough[EventHeaderName.redriveOf].map({ RequestID($0) }),
            let interaction = event.subject, !Self.carriesState(event.data)
        else { return false }
        let text = "\(deployment)|\(Self.text(origin: origin, user: event.userID, interaction: interaction))"
        return event.id == Hex.text(SHA256.hash(text).prefix(16))
    }

    private static func carriesState(_ data: JSONValue) -> Bool { data["redrive"] != nil }

    /// The length prevents one text from standing for two pairs of user and interaction.
    private static func text(origin: RequestID, user: UserID, interaction: InteractionID) -> String {
        "redrive|\(origin)|\(user.utf8.count)|\(user)|\(interaction)"
    }

    /// The parts of the id of a redriven interaction, `<id>~<n>`; 0 for any other id.
    static func split(_ id: InteractionID) -> (base: InteractionID, number: Int) {
        let text = id.text
        guard let tilde = text.utf8.lastIndex(of: UInt8(ascii: "~")),
            let number = Int(text[text.utf8.index(after: tilde)...]),
            (0...Self.maximumNumber).contains(number)
        else { return (id, 0) }
        return (InteractionID(String(text[..<tilde])), number)
    }
}
