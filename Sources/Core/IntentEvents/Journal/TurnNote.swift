package import IntentKit

/// What a handler says while its turn is still running (R74).
///
/// It is an input of the record that is made of it: a replay makes that record again from it.
package enum TurnNote: Hashable, Sendable {
    /// The progress that the user was sent; `steps` names the committed ones.
    case report(fraction: Double?, text: String?, steps: [String] = [])
    /// A step is done: its result is kept with the parked turn.
    case step(CommittedStep)

    /// The form in the journal.
    package var json: JSONValue {
        switch self {
        case .report(let fraction, let text, let steps):
            return .members([
                "fraction": fraction.map(JSONValue.number), "kind": "report",
                "steps": steps.isEmpty ? nil : .array(steps.map(JSONValue.string)),
                "text": text.map(JSONValue.string),
            ])
        case .step(let step):
            var members = step.json.object ?? [:]
            members["kind"] = "step"
            return .object(members)
        }
    }

    package init?(json: JSONValue) {
        switch json["kind"]?.string {
        case "report":
            self = .report(
                fraction: json["fraction"]?.number,
                text: json["text"]?.string,
                steps: (json["steps"]?.array ?? []).compactMap(\.string)
            )
        case "step":
            guard let step = CommittedStep(json: json) else { return nil }
            self = .step(step)
        default: return nil
        }
    }
}

/// A step of a handler, with its result.
package struct CommittedStep: Hashable, Sendable {
    /// The handler's name for it.
    package var name: String
    /// Its number among the steps of that name, in the order of the calls, from 0.
    package var ordinal: Int
    package var value: JSONValue

    package init(name: String, ordinal: Int, value: JSONValue) {
        self.name = name
        self.ordinal = ordinal
        self.value = value
    }

    /// The form in state.
    package var json: JSONValue {
        .members([
            "name": .string(self.name), "ordinal": self.ordinal == 0 ? nil : .integer(Int64(self.ordinal)),
            "value": self.value,
        ])
    }

    package init?(json: JSONValue) {
        guard let name = json["name"]?.string, let ordinal = Int(exactly: json["ordinal"]?.integer ?? 0), ordinal >= 0
        else { return nil }
        self.init(name: name, ordinal: ordinal, value: json["value"] ?? .null)
    }
}
