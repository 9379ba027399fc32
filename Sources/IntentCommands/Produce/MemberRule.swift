import IntentEvents
import IntentKit

/// What a member of an inbound event must be.
struct MemberRule: Sendable {
    /// The kinds of value.
    enum Kind: String, Sendable {
        case string = "a string"
        case boolean = "true or false"
        case integer = "a whole number"
        case object = "an object"
        case array = "an array"
        case time = "a date and time such as 2026-11-21T12:30:00Z"

        /// Whether a value is of this kind.
        func accepts(_ value: JSONValue) -> Bool {
            switch self {
            case .string: value.string != nil
            case .boolean: value.bool != nil
            case .integer: value.integer != nil
            case .object: value.object != nil
            case .array: value.array != nil
            case .time: value.string.flatMap(Timestamp.init) != nil
            }
        }
    }

    /// The names on the way to it.
    var path: [String]
    /// What it must be.
    var kind: Kind
    /// Whether it must be there.
    var isRequired = false
    /// The texts that it may be, if they are few.
    var choices: [String] = []

    /// Describes a member; the path's names are joined by dots.
    init(_ path: String, _ kind: Kind, required: Bool = false, choices: [String] = []) {
        self.path = path.split(separator: ".").map(String.init)
        self.kind = kind
        self.isRequired = required
        self.choices = choices
    }

    /// What is wrong with the member of an object; nil when nothing is.
    func problem(in object: JSONValue) -> String? {
        var value: JSONValue? = object
        for name in self.path { value = value?[name] }
        let name = self.path.joined(separator: ".")
        guard let value, !value.isNull else {
            return self.isRequired ? "\(name) is missing; it must be \(self.kind.rawValue)" : nil
        }
        guard self.kind.accepts(value) else { return "\(name) must be \(self.kind.rawValue), not \(value.kind)" }
        if let text = value.string, !self.choices.isEmpty, !self.choices.contains(text) {
            return "\(name) must be \(self.choices.joined(separator: " or ")), not \"\(text)\""
        }
        return nil
    }
}
