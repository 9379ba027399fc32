package import IntentEvents
package import IntentKit

extension Interaction {
    /// What many interactions do not have, behind one reference: an interaction is copied often, and in pieces it was three
    /// times as large.
    ///
    /// Sendable although it changes: only ``Interaction/change(isUsual:_:)`` changes it, and only while no other value has a
    /// reference to it.
    final class RareParts: Hashable, @unchecked Sendable {
        struct Values: Hashable, Sendable {
            var follows: InteractionID?
            var opening: String?
            var setsAside: PromptID?
            var displays: [String: DisplayRepresentation] = [:]
            var understood: [String: [UnderstoodWords]] = [:]
            var ambiguous: [String: [String: [SpokenMeaning]]] = [:]
            var asked: [String: BackQuestion] = [:]
            var round: Int = 0
            var declined: [String: DeclinedValues] = [:]
            var mistakes: [ClientMistake] = []
            var namedMistakes: Int = 0
            var waiting: HandleWait?
            var undoing: Undoing?
            var groupIdentifier: String?
            var expiresAt: Timestamp?
            var presentation: Presentation?
            var ignoredParameters: [String] = []
            var confirmed: [String: [Int: JSONValue]] = [:]
            var refused: JSONObject = [:]
            var attempts: [String: Int] = [:]
            var again: [String: AskedAgain] = [:]
            var prompt: Prompt?
            var shown: JSONValue?
            var appDeadline: Timestamp?

            /// Whether a worker that reads only format 1 would understand them (R57).
            var isOfFormat1: Bool {
                self.asked.isEmpty && self.round == 0 && self.waiting == nil && self.undoing == nil
                    && self.setsAside == nil
            }
        }

        fileprivate(set) var values: Values

        init(_ values: Values) { self.values = values }

        static func == (lhs: RareParts, rhs: RareParts) -> Bool { lhs === rhs || lhs.values == rhs.values }

        func hash(into hasher: inout Hasher) { hasher.combine(self.values) }
    }

    /// Changes one of them; where there are none, nothing happens for the value that it has then.
    private mutating func change(isUsual: Bool, _ change: (inout RareParts.Values) -> Void) {
        if self.rareParts == nil {
            guard !isUsual else { return }
            self.rareParts = RareParts(RareParts.Values())
        } else if !isKnownUniquelyReferenced(&self.rareParts) {
            self.rareParts = self.rareParts.map { RareParts($0.values) }
        }
        guard let parts = self.rareParts else { return }
        change(&parts.values)
        if isUsual, parts.values == RareParts.Values() { self.rareParts = nil }
    }

    /// The interaction of the same user that it follows from (R77).
    package var follows: InteractionID? {
        get { self.rareParts?.values.follows }
        set { self.change(isUsual: newValue == nil) { $0.follows = newValue } }
    }

    /// What its first prompt begins with, as long as it had none.
    package var opening: String? {
        get { self.rareParts?.values.opening }
        set { self.change(isUsual: newValue == nil) { $0.opening = newValue } }
    }

    /// The prompt of another interaction that it sets aside, and to which it goes back at its end (R78).
    package var setsAside: PromptID? {
        get { self.rareParts?.values.setsAside }
        set { self.change(isUsual: newValue == nil) { $0.setsAside = newValue } }
    }

    /// The words with which values were chosen, by ``Prompt/subject(_:_:)``; not for values with declared words (R71).
    package var displays: [String: DisplayRepresentation] {
        get { self.rareParts?.values.displays ?? [:] }
        set { self.change(isUsual: newValue.isEmpty) { $0.displays = newValue } }
    }

    /// Words that were read as values, by parameter (R73).
    package var understood: [String: [UnderstoodWords]] {
        get { self.rareParts?.values.understood ?? [:] }
        set { self.change(isUsual: newValue.isEmpty) { $0.understood = newValue } }
    }

    /// What words may mean that can be read as several values, by parameter and text (R73).
    package var ambiguous: [String: [String: [SpokenMeaning]]] {
        get { self.rareParts?.values.ambiguous ?? [:] }
        set { self.change(isUsual: newValue.isEmpty) { $0.ambiguous = newValue } }
    }

    /// The questions with which later stages have sent it back, by parameter; each holds until its parameter gets a value
    /// (R72c).
    package var asked: [String: BackQuestion] {
        get { self.rareParts?.values.asked ?? [:] }
        set { self.change(isUsual: newValue.isEmpty) { $0.asked = newValue } }
    }

    /// The number of times that it went back to the user from handle, or that its effects were undone; the ledger refuses
    /// effects of earlier rounds (R72d).
    package var round: Int {
        get { self.rareParts?.values.round ?? 0 }
        set { self.change(isUsual: newValue == 0) { $0.round = newValue } }
    }

    /// The values that were offered and declined, by parameter (R72a).
    package var declined: [String: DeclinedValues] {
        get { self.rareParts?.values.declined ?? [:] }
        set { self.change(isUsual: newValue.isEmpty) { $0.declined = newValue } }
    }

    /// What its client probably did not mean, in the order of the events (R79).
    package var mistakes: [ClientMistake] {
        get { self.rareParts?.values.mistakes ?? [] }
        set { self.change(isUsual: newValue.isEmpty) { $0.mistakes = newValue } }
    }

    /// How many of them an output has named.
    var namedMistakes: Int {
        get { self.rareParts?.values.namedMistakes ?? 0 }
        set { self.change(isUsual: newValue == 0) { $0.namedMistakes = newValue } }
    }

    /// Until when it waits for the next try of `handle` (R76).
    package var waiting: HandleWait? {
        get { self.rareParts?.values.waiting }
        set { self.change(isUsual: newValue == nil) { $0.waiting = newValue } }
    }

    /// What is undone before it ends, or goes back to the user (R75).
    package var undoing: Undoing? {
        get { self.rareParts?.values.undoing }
        set { self.change(isUsual: newValue == nil) { $0.undoing = newValue } }
    }

    /// Groups interactions that belong together.
    package var groupIdentifier: String? {
        get { self.rareParts?.values.groupIdentifier }
        set { self.change(isUsual: newValue == nil) { $0.groupIdentifier = newValue } }
    }

    package var expiresAt: Timestamp? {
        get { self.rareParts?.values.expiresAt }
        set { self.change(isUsual: newValue == nil) { $0.expiresAt = newValue } }
    }

    /// Where a view of it is shown; nil for the default (R38).
    package var presentation: Presentation? {
        get { self.rareParts?.values.presentation }
        set { self.change(isUsual: newValue == nil) { $0.presentation = newValue } }
    }

    /// Parameters that the intent does not have.
    package var ignoredParameters: [String] {
        get { self.rareParts?.values.ignoredParameters ?? [] }
        set { self.change(isUsual: newValue.isEmpty) { $0.ignoredParameters = newValue } }
    }

    /// Values of lists that the user said yes to, by parameter and index (R19).
    package var confirmed: [String: [Int: JSONValue]] {
        get { self.rareParts?.values.confirmed ?? [:] }
        set { self.change(isUsual: newValue.isEmpty) { $0.confirmed = newValue } }
    }

    /// Values that were refused, by parameter: of a wrong type, or too large (R25).
    package var refused: JSONObject {
        get { self.rareParts?.values.refused ?? [:] }
        set { self.change(isUsual: newValue.isEmpty) { $0.refused = newValue } }
    }

    /// The number of answers that did not settle a question, by its name (R24); before behaviour 6 by
    /// ``Prompt/subject(_:_:)``.
    package var attempts: [String: Int] {
        get { self.rareParts?.values.attempts ?? [:] }
        set { self.change(isUsual: newValue.isEmpty) { $0.attempts = newValue } }
    }

    /// What was wrong with the last of those answers, by the same names; the repeated prompt says so (R22).
    var again: [String: AskedAgain] {
        get { self.rareParts?.values.again ?? [:] }
        set { self.change(isUsual: newValue.isEmpty) { $0.again = newValue } }
    }

    /// The open prompt.
    package var prompt: Prompt? {
        get { self.rareParts?.values.prompt }
        set { self.change(isUsual: newValue == nil) { $0.prompt = newValue } }
    }

    /// What the user was shown when asked to confirm.
    package var shown: JSONValue? {
        get { self.rareParts?.values.shown }
        set { self.change(isUsual: newValue == nil) { $0.shown = newValue } }
    }

    /// Until when the app may finish what was handed to it (R33).
    package var appDeadline: Timestamp? {
        get { self.rareParts?.values.appDeadline }
        set { self.change(isUsual: newValue == nil) { $0.appDeadline = newValue } }
    }
}
