package import IntentAudit
internal import IntentEvents
package import IntentKit
internal import IntentRuntime

/// An interaction's state, formatted for display: masked, with readable times and prompt outcomes.
package enum StateWords {
    /// What a turn has changed of its interaction's state.
    ///
    /// Values are compared as they are, and shown masked: a sensitive one that changes is named.
    package static func changes(_ state: StateThen, _ masking: Masking) -> [StateChange] {
        let before = masking.masked(state.interactionBefore ?? .null)
        let after = masking.masked(state.interactionAfter ?? .null)
        return StateChange.changes(from: state.interactionBefore, to: state.interactionAfter)
            .map { change in
                var shown = change
                let name = change.path.last ?? ""
                shown.before = change.before.map { _ in Self.readable(Self.value(before, at: change.path), of: name) }
                shown.after = change.after.map { _ in Self.readable(Self.value(after, at: change.path), of: name) }
                return shown
            }
    }

    /// A value with everything in it that is meant for programs in words.
    package static func readable(_ value: JSONValue, of name: String = "") -> JSONValue {
        if let members = value.object {
            return .object(
                Dictionary(uniqueKeysWithValues: members.map { ($0.key, Self.readable($0.value, of: $0.key)) })
            )
        }
        if let elements = value.array { return .array(elements.map { Self.readable($0) }) }
        if name.hasSuffix("At"), let number = value.integer {
            return .string(Timestamp(milliseconds: number).description)
        }
        if name == "history", let text = value.string {
            return .array(
                text.enumerated()
                    .map { number, outcome in
                        let word = Interaction.PastPrompt(rawValue: outcome).map { "\($0)" } ?? String(outcome)
                        return .string("prompt \(number + 1) \(word)")
                    }
            )
        }
        return value
    }

    private static func value(_ json: JSONValue, at path: [String]) -> JSONValue {
        path.reduce(json) { $0[$1] ?? .string(Masking.mask) }
    }
}
