internal import IntentEvents
internal import IntentKit

/// Why a question is put again: what was wrong with the last answer to it (R22).
package struct AskedAgain: Hashable, Sendable {
    package enum Reason: String, Sendable, CaseIterable {
        /// The answer's choice is none of the options.
        case noSuchChoice
        /// The answer has neither a value nor a choice, and there is nothing to say yes to.
        case noAnswer
        /// The user does not want that value: another one is needed.
        case declined
        case notAccepted
        /// What the user said yes to has changed since.
        case changed
    }

    /// What was wrong, for programs.
    package var reason: Reason
    /// What was wrong, and what would be right, for those who write clients.
    package var detail: String

    /// The answer's choice is none of this many options.
    static func noSuchChoice(_ choice: Int, of options: Int) -> AskedAgain {
        let right = options == 0 ? "the prompt has no options" : "the options are 0 to \(options - 1)"
        return AskedAgain(reason: .noSuchChoice, detail: "data.choice is \(choice), but \(right).")
    }

    /// There is nothing in the answer.
    static let noAnswer = AskedAgain(
        reason: .noAnswer,
        detail: "The answer has neither data.value nor data.choice, and there is nothing to say yes to."
    )

    static let declined = AskedAgain(reason: .declined, detail: "The value was declined: another one is needed.")

    static let notAccepted = AskedAgain(
        reason: .notAccepted,
        detail: "The value is not accepted; data.accepts of this prompt says what is."
    )

    /// A later stage cannot use the value (R72c).
    static func notUsable(by stage: Stage) -> AskedAgain {
        AskedAgain(
            reason: .notAccepted,
            detail: "The value was accepted before, and \(stage.rawValue) cannot use it."
        )
    }

    /// The dry run has another result than the one that was confirmed.
    static let changed = AskedAgain(
        reason: .changed,
        detail: "What the user said yes to has changed: data.response says what it is now."
    )

    /// The wire form.
    var json: JSONValue { ["detail": .string(self.detail), "reason": .string(self.reason.rawValue)] }
}

extension AskedAgain {
    /// Reads the wire form; nil for a reason that this version does not know.
    init?(json: JSONValue) {
        guard let reason = json["reason"]?.string.flatMap(Reason.init(rawValue:)), let detail = json["detail"]?.string
        else { return nil }
        self.init(reason: reason, detail: detail)
    }
}
