package import IntentEvents
package import IntentKit

/// One request and all that follows from it, as its owner keeps it and passes it on (R12).
package struct Interaction: Hashable, Sendable {
    /// The outcome of a prompt that is no longer open.
    package enum PastPrompt: Character, Sendable {
        case answered = "a"
        /// It was replaced before it was answered.
        case superseded = "s"
        case expired = "e"
    }

    /// The interaction's id: the request's `ce_subject`, or one made for it (R8).
    package var id: InteractionID
    /// The position of its request, `partition:offset`.
    package var request: RequestID
    /// When the first turn of the request began.
    package var startedAt: Timestamp
    /// How long the request was on the log before, in milliseconds (R80).
    package var queuedFor: Int64 = 0
    package var user: RequestingUser
    /// The device from which the user asks.
    package var device: RequestingDevice
    package var locale: String
    /// The name of the user's time zone, as the client sent it (R73); nil for the default one.
    package var timeZone: String?
    /// The intent with its values as they are now.
    package var intent: IntentSnapshot
    /// Headers that are passed through.
    package var passedThrough: [String: String] = [:]
    /// Turns so far, in all stages.
    package var turns = 0
    /// The outcomes of the prompts before the open one, in order.
    package var history: [PastPrompt] = []
    /// The names of parameters that are settled, in order.
    package private(set) var settled: [String] = []
    /// Whether the user said yes to what was shown.
    package var isAccepted = false
    /// What it passes on to an interaction that is redriven from it, and has from the one that it follows (R48).
    package var redrive = RedriveState()
    /// The digest of the request's content (R8); nil for one from before it was kept.
    package var content: String?
    /// What many interactions do not have; nil if this one has nothing of it.
    var rareParts: RareParts?

    package init(
        id: InteractionID,
        request: RequestID,
        startedAt: Timestamp,
        user: RequestingUser,
        device: RequestingDevice,
        locale: String,
        intent: IntentSnapshot
    ) {
        self.id = id
        self.request = request
        self.startedAt = startedAt
        self.user = user
        self.device = device
        self.locale = locale
        self.intent = intent
    }

    /// The request whose effects it shares: the first of those that were redriven from each other (R48), or its own.
    package var origin: RequestID {
        self.redriveOf.map { RequestID($0) } ?? self.request
    }

    /// The id of the interaction that began with that request.
    package var originalID: InteractionID {
        self.redriveOf == nil ? self.id : RedriveIdentifier.split(self.id).base
    }

    /// Makes the keys by which services recognise its calls (R30).
    func idempotencyKeys(deployment: String) -> IdempotencyKeys {
        // A service gives the same answer to the same key: after the user has chosen another value it is another call.
        let number = self.redrive.rounds + self.round
        func numbered(_ text: String) -> String { number == 0 ? text : "\(text)#\(number)" }
        return switch self.redrive.keys {
        case .request: .request(numbered(self.origin.text), deployment: deployment)
        case .interaction: .interaction(numbered(self.originalID.text))
        }
    }

    /// The position of the request that it follows, if it was redriven.
    private var redriveOf: String? {
        // Most interactions pass nothing through, and then no name is hashed.
        self.passedThrough.isEmpty ? nil : self.passedThrough[EventHeaderName.redriveOf]
    }

    package func isSettled(_ name: String) -> Bool {
        let index = self.settledIndex(name)
        return index < self.settled.count && self.settled[index] == name
    }

    /// The index of a name among those of settled parameters, or where it would be inserted.
    private func settledIndex(_ name: String) -> Int {
        var low = 0
        var high = self.settled.count
        while low < high {
            let middle = (low + high) / 2
            if self.settled[middle] < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The oldest format that has everything in it (R57).
    var format: Int { self.isOfFormat1 ? 1 : 2 }

    private var isOfFormat1: Bool {
        !self.isFollowUp && (self.rareParts?.values.isOfFormat1 ?? true)
    }

    /// The declined values, as handlers see them.
    var declinedValues: [String: [JSONValue]] { self.declined.isEmpty ? [:] : self.declined.mapValues(\.values) }

    /// What it follows from, as its events show it; nil for another user's.
    var followsShown: JSONValue? {
        guard let follows = self.follows, let origin = self.followsFrom else { return nil }
        return ["interaction": follows.json, "name": .string(origin.name)]
    }

    /// Removes and returns what its first prompt begins with.
    mutating func takeOpening() -> String? {
        defer { self.opening = nil }
        return self.opening
    }

    mutating func settle(_ name: String) {
        let index = self.settledIndex(name)
        if index == self.settled.count || self.settled[index] != name {
            // Usually a few parameters are settled together.
            if self.settled.isEmpty { self.settled.reserveCapacity(4) }
            self.settled.insert(name, at: index)
        }
        guard !self.attempts.isEmpty else { return }
        self.forgetAttempts { $0 == name || $0.hasPrefix(name + "/") || $0.hasPrefix(name + "#") }
    }

    /// Forgets the answers to the questions about a subject that is settled; what comes after is a new question.
    mutating func forgetAttempts(at subject: String) {
        guard !self.attempts.isEmpty else { return }
        self.forgetAttempts { $0 == subject || $0.hasPrefix(subject + "#") }
    }

    private mutating func forgetAttempts(where isSettled: (_ question: String) -> Bool) {
        for question in self.attempts.keys where isSettled(question) {
            self.attempts[question] = nil
            self.again[question] = nil
        }
    }

    /// Forgets the answers to all prompts.
    mutating func forgetAttempts() {
        self.attempts = [:]
        self.again = [:]
    }

    /// Sets the names of settled parameters, in any order.
    mutating func setSettled(_ names: [String]) {
        let isInOrder = names.indices.dropFirst().allSatisfy { names[$0 - 1] < names[$0] }
        self.settled = isInOrder ? names : Set(names).sorted()
    }

    /// Records that a parameter is no longer settled, and drops its confirmed values.
    mutating func unsettle(_ name: String) {
        let index = self.settledIndex(name)
        if index < self.settled.count, self.settled[index] == name { self.settled.remove(at: index) }
        if !self.confirmed.isEmpty { self.confirmed[name] = nil }
    }

    package mutating func closePrompt(as past: PastPrompt) {
        guard self.prompt != nil else { return }
        self.prompt = nil
        self.history.append(past)
    }
}
