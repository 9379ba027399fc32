package import IntentKit

/// One answer that a turn got from outside, so that the turn can be run again (R16).
package struct JournalRead: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// `context.run`.
        case run
        /// `context.read`.
        case read
        /// `context.effect`.
        case effect
        /// The user's vocabulary of a type, with its version.
        case vocabulary
        /// The meaning of words, in the user's vocabulary or the global one: the entries that decided, and their
        /// version.
        case vocabularyMatches
        /// The values that words mean.
        case understood
        /// The stage itself: closing a ledger.
        case ledger
        /// `context.step`, committed by this turn or by an earlier run of it.
        case step
        /// The stage itself: reading the result of an effect, and undoing it.
        case undo
    }

    package enum Result: Hashable, Sendable {
        case value(JSONValue)
        case failure(JournaledError)
    }

    package var kind: Kind
    /// The handler's name for it.
    package var name: String
    package var result: Result

    package init(kind: Kind, name: String, result: Result) {
        self.kind = kind
        self.name = name
        self.result = result
    }

    /// The names of the effects that the ledger held when the interaction ended; nil for every other access.
    package var heldEffects: [String]? {
        guard self.kind == .ledger, case .value(.array(let names)) = self.result else { return nil }
        return names.compactMap(\.string)
    }

    /// The wire form.
    package var json: JSONValue {
        switch self.result {
        case .value(let value):
            ["kind": .string(self.kind.rawValue), "name": .string(self.name), "value": value]
        case .failure(let error):
            [
                "error": .members([
                    "client": error.clientMessage.map(JSONValue.string),
                    "message": .string(error.message),
                    "retryAfter": error.retryAfter.map { .integer(Int64($0 / .milliseconds(1))) },
                    "transient": .bool(error.isTransient),
                ]),
                "kind": .string(self.kind.rawValue),
                "name": .string(self.name),
            ]
        }
    }

    package init?(json: JSONValue) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)), let name = json["name"]?.string else {
            return nil
        }
        if let error = json["error"] {
            guard let message = error["message"]?.string else { return nil }
            let isTransient = error["transient"]?.bool ?? false
            self.init(
                kind: kind,
                name: name,
                result: .failure(
                    JournaledError(
                        message: message,
                        isTransient: isTransient,
                        clientMessage: error["client"]?.string,
                        retryAfter: error["retryAfter"]?.integer.map { .milliseconds($0) }
                    )
                )
            )
        } else {
            self.init(kind: kind, name: name, result: .value(json["value"] ?? .null))
        }
    }
}
