package import IntentEvents
package import IntentKit

/// One request and all that follows from it, as its owner keeps it and passes it on (R12).
///
/// It is one reference, since a turn passes it on from step to step: a copy of its parts would count thirty.
@dynamicMemberLookup
package struct Interaction: Hashable, Sendable {
    /// The outcome of a prompt that is no longer open.
    package enum PastPrompt: Character, Sendable {
        case answered = "a"
        /// It was replaced before it was answered.
        case superseded = "s"
        case expired = "e"
    }

    /// The parts of an interaction.
    package struct Parts: Hashable, Sendable {
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
        package fileprivate(set) var settled: [String] = []
        /// Whether the user said yes to what was shown.
        package var isAccepted = false
        /// What it passes on to an interaction that is redriven from it, and has from the one that it follows (R48).
        package var redrive = RedriveState()
        /// The digest of the request's content (R8); nil for one from before it was kept.
        package var content: String?
        /// The interaction of the same user that it follows from (R77).
        package var follows: InteractionID?
        /// What its first prompt begins with, as long as it had none.
        package var opening: String?
        /// The prompt of another interaction that it sets aside, and to which it goes back at its end (R78).
        package var setsAside: PromptID?
        /// The words with which values were chosen, by ``Prompt/subject(_:_:)``; not for values with declared words (R71).
        package var displays: [String: DisplayRepresentation] = [:]
        /// Words that were read as values, by parameter (R73).
        package var understood: [String: [UnderstoodWords]] = [:]
        /// What words may mean that can be read as several values, by parameter and text (R73).
        package var ambiguous: [String: [String: [SpokenMeaning]]] = [:]
        /// The questions with which later stages have sent it back, by parameter; each holds until its parameter gets a value
        /// (R72c).
        package var asked: [String: BackQuestion] = [:]
        /// The number of times that it went back to the user from handle, or that its effects were undone; the ledger refuses
        /// effects of earlier rounds (R72d).
        package var round: Int = 0
        /// The values that were offered and declined, by parameter (R72a).
        package var declined: [String: DeclinedValues] = [:]
        /// What its client probably did not mean, in the order of the events (R79).
        package var mistakes: [ClientMistake] = []
        /// How many of them an output has named.
        var namedMistakes: Int = 0
        /// Until when it waits for the next try of `handle` (R76).
        package var waiting: HandleWait?
        /// What is undone before it ends, or goes back to the user (R75).
        package var undoing: Undoing?
        /// Groups interactions that belong together.
        package var groupIdentifier: String?
        package var expiresAt: Timestamp?
        /// Where a view of it is shown; nil for the default (R38).
        package var presentation: Presentation?
        /// Parameters that the intent does not have.
        package var ignoredParameters: [String] = []
        /// Values of lists that the user said yes to, by parameter and index (R19).
        package var confirmed: [String: [Int: JSONValue]] = [:]
        /// Values that were refused, by parameter: of a wrong type, or too large (R25).
        package var refused: JSONObject = [:]
        /// The number of answers that did not settle a question, by its name (R24); before behaviour 6 by
        /// ``Prompt/subject(_:_:)``.
        package var attempts: [String: Int] = [:]
        /// What was wrong with the last of those answers, by the same names; the repeated prompt says so (R22).
        var again: [String: AskedAgain] = [:]
        /// The open prompt.
        package var prompt: Prompt?
        /// What the user was shown when asked to confirm.
        package var shown: JSONValue?
        /// Until when the app may finish what was handed to it (R33).
        package var appDeadline: Timestamp?
    }

    private var parts: Shared<Parts>

    package init(
        id: InteractionID,
        request: RequestID,
        startedAt: Timestamp,
        user: RequestingUser,
        device: RequestingDevice,
        locale: String,
        intent: IntentSnapshot
    ) {
        self.parts = Shared(
            Parts(
                id: id,
                request: request,
                startedAt: startedAt,
                user: user,
                device: device,
                locale: locale,
                intent: intent
            )
        )
    }

    /// One of its parts, read and changed in place: inlined, since only then the key path costs nothing.
    package subscript<Part>(dynamicMember part: WritableKeyPath<Parts, Part>) -> Part {
        @inline(__always) get { self.parts.value[keyPath: part] }
        @inline(__always) _modify { yield &self.parts.value[keyPath: part] }
    }

    /// One of its parts that are not changed from outside.
    package subscript<Part>(dynamicMember part: KeyPath<Parts, Part>) -> Part {
        @inline(__always) get { self.parts.value[keyPath: part] }
    }

    /// The request whose effects it shares: the first of those that were redriven from each other (R48), or its own.
    package var origin: RequestID { self.redriveOf.map { RequestID($0) } ?? self.request }

    /// The id of the interaction that began with that request.
    package var originalID: InteractionID { self.redriveOf == nil ? self.id : RedriveIdentifier.split(self.id).base }

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
        !self.isFollowUp && self.asked.isEmpty && self.round == 0 && self.waiting == nil && self.undoing == nil
            && self.setsAside == nil
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
