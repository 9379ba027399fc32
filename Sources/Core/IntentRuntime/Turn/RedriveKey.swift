package import IntentEvents
package import IntentKit

/// The deployment's secret that proves that `dead-letters redrive` sent a request again (R48), or `waiting decide` a
/// decision (R76).
///
/// A redriven request shares the effects of the one that it follows, so a client must not be able to make one. The key
/// is on `state`, which workers, operators and auditors may read and clients may not, and nowhere else: it is not
/// printed, and no turn, record or anchor holds it.
package struct RedriveKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The prefix of its entry's name among those of the deployment.
    package static let entryName = "redrive"

    private let secret: String
    /// Where `requests` ended, by partition, when the key was made.
    ///
    /// Earlier requests were proved by the deployment's id alone.
    private let starts: [Int: Int64]

    init(secret: String, starts: [Int: Int64]) {
        self.secret = secret
        self.starts = starts.filter { $0.value > 0 }
    }

    /// Reads a key from its entry; nil when it is none.
    init?(json: JSONValue) {
        guard let secret = json["value"]?.string, secret.utf8.count == 64 else { return nil }
        var starts: [Int: Int64] = [:]
        for (partition, start) in json["since"]?.object ?? [:] {
            guard let partition = Int(partition), let start = start.integer else { return nil }
            starts[partition] = start
        }
        self.init(secret: secret, starts: starts)
    }

    /// The entry.
    var json: JSONValue {
        let since = self.starts.map { (String($0.key), JSONValue.integer($0.value)) }
        return ["value": .string(self.secret), "since": .object(Dictionary(since) { first, _ in first })]
    }

    /// The id of a request that is sent again.
    ///
    /// - Parameters:
    ///   - origin: The position of the first request, `partition:offset`.
    ///   - user: The user.
    ///   - interaction: The id of the new interaction.
    ///   - data: The request's data; they count if they have a ``RedriveState``.
    /// - Returns: 32 digits; the same input always makes the same digits.
    package func identifier(origin: RequestID, user: UserID, interaction: InteractionID, data: JSONValue) -> String {
        RedriveIdentifier.make(key: self.secret, origin: origin, user: user, interaction: interaction, data: data)
    }

    /// Whether the command sent a request again, as the request claims.
    ///
    /// - Parameters:
    ///   - event: The request.
    ///   - position: Its position.
    ///   - deployment: The deployment's id.
    /// - Returns: Whether its id proves it.
    func proves(_ event: Event, at position: RecordPosition, of deployment: String) -> Bool {
        guard let origin = event.passedThrough[EventHeaderName.redriveOf].map({ RequestID($0) }),
            let interaction = event.subject
        else { return false }
        let identifier = self.identifier(
            origin: origin,
            user: event.userID,
            interaction: interaction,
            data: event.data
        )
        if event.id == identifier { return true }
        return position.offset < self.starts[position.partition] ?? 0
            && RedriveIdentifier.isMade(event, of: deployment)
    }

    /// The id of a decision.
    ///
    /// - Parameters:
    ///   - data: Its data.
    ///   - interaction: The interaction that it is about.
    ///   - user: The user.
    /// - Returns: 32 digits; the same input always makes the same digits.
    func identifier(ofDecision data: JSONValue, about interaction: InteractionID, user: UserID) -> String {
        RedriveIdentifier.make(key: self.secret, decision: data, user: user, interaction: interaction)
    }

    /// Whether the command sent a decision.
    fileprivate func proves(decision event: Event) -> Bool {
        guard let interaction = event.subject else { return false }
        return event.id == self.identifier(ofDecision: event.data, about: interaction, user: event.userID)
    }

    /// Random digits for a secret, or for a name.
    static func randomText(byteCount: Int) -> String {
        var random = SystemRandomNumberGenerator()
        return Hex.text((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// Reveals nothing of the secret.
    package var description: String { "the deployment's key for redriven requests" }
    /// Reveals nothing of the secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// How a turn checks whether a command of operators sent its event (R48, R76).
package enum RedriveCheck: Sendable {
    /// By the deployment's key; without one, no request was.
    case key(RedriveKey?)
    /// As the turn's record says; for a record from before this was recorded, by the deployment's id, as it was then.
    case recorded(Bool?)

    /// Whether an operator has sent a decision.
    func verdict(onDecision event: Event) -> Bool {
        switch self {
        case .key(let key): key?.proves(decision: event) ?? false
        case .recorded(let verdict): verdict ?? false
        }
    }

    /// Whether the command sent a request again; nil for a request that does not claim it.
    func verdict(on event: Event, at position: RecordPosition, of deployment: String) -> Bool? {
        guard event.passedThrough[EventHeaderName.redriveOf] != nil else { return nil }
        return switch self {
        case .key(let key): key?.proves(event, at: position, of: deployment) ?? false
        case .recorded(let verdict): verdict ?? RedriveIdentifier.isMade(event, of: deployment)
        }
    }
}
