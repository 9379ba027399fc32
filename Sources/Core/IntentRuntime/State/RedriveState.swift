package import IntentKit
internal import LibCrypto

/// What an interaction passes on to one that is redriven from it (R48).
///
/// A dead letter has it in a header, and the redriven request in its data, covered by the proof in the request's id. It
/// holds digests instead of values: headers are shown as they are.
package struct RedriveState: Hashable, Sendable {
    /// The form of the interaction's idempotency keys (R30).
    package enum KeyForm: Int64, Sendable {
        /// From the interaction's id, as before behaviour 5.
        case interaction = 1
        /// From the position of its first request.
        case request = 2
    }

    /// The form of the keys, fixed when the interaction begins.
    package var keys = KeyForm.interaction
    /// The digest of what the user said yes to at `intentConfirmation`: the intent, and what was shown.
    package var yes: String?
    /// The digests of the values that the user said yes to (R19), in the order of the answers.
    package var values: [String] = []
    /// How many rounds (R72d) the interactions before had begun: a service would answer keys of theirs as it did then.
    package var rounds = 0

    /// The state of an interaction that passes nothing on.
    package init() {}

    /// Whether there is nothing to pass on.
    var isEmpty: Bool { self == RedriveState() }

    /// A digest that says nothing about what it is of, unless that can be guessed.
    fileprivate static func digest(_ content: JSONValue) -> String {
        SHA256.digest(content.utf8).hex(SHA256.byteCount / 2)
    }
}

extension RedriveState: JSONWritable, JSONReadable {
    /// Writes the form in state, events and dead letters; members with the usual value are left out.
    package func write(to text: inout JSONText) {
        text.beginObject()
        if self.keys != .interaction { text.member("keys", self.keys.rawValue) }
        if self.rounds > 0 { text.member("rounds", Int64(self.rounds)) }
        if !self.values.isEmpty { text.member("values", value: .array(self.values.map(JSONValue.string))) }
        text.member("yes", self.yes)
        text.endObject()
    }

    /// Reads the form; a form of keys that is not known counts as the first.
    package init?(_ json: JSONView) {
        self.keys = json["keys"]?.integer.flatMap(KeyForm.init(rawValue:)) ?? .interaction
        if let values = json["values"] { self.values = values.elements.compactMap(\.string) }
        self.yes = json["yes"]?.string
        self.rounds = json["rounds"]?.count ?? 0
    }
}

extension Interaction {
    /// What a dead letter passes on from it.
    var redriveState: RedriveState {
        var state = self.redrive
        if self.isAccepted, let shown = self.shown { state.yes = self.digest(shown: shown) }
        state.rounds += self.round
        return state
    }

    /// The digest of the intent as it is now, and of what is shown with it.
    private func digest(shown: JSONValue) -> String {
        RedriveState.digest(["intent": self.intent.json, "shown": shown])
    }

    private static func digest(of value: JSONValue, for parameter: String) -> String {
        RedriveState.digest(["parameter": .string(parameter), "value": value])
    }

    /// Whether the user said yes to the same intent, shown in the same way, before the request was redriven.
    func wasAccepted(shown: JSONValue) -> Bool {
        guard let yes = self.redrive.yes else { return false }
        return yes == self.digest(shown: shown)
    }

    /// Whether the user said yes to the value before the request was redriven.
    func wasAccepted(_ value: JSONValue, for parameter: String) -> Bool {
        !self.redrive.values.isEmpty && self.origin != self.request
            && self.redrive.values.contains(Self.digest(of: value, for: parameter))
    }

    /// Records that the user said yes to a value.
    mutating func recordAccepted(_ value: JSONValue, for parameter: String) {
        // Turns of versions that noted nothing have to write the same when they are replayed.
        guard self.redrive.keys == .request else { return }
        let digest = Self.digest(of: value, for: parameter)
        if !self.redrive.values.contains(digest) { self.redrive.values.append(digest) }
    }
}
