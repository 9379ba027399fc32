import IntentEvents
import IntentKit

/// What a member of an inbound event must be, and the members in it.
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

    /// What is wrong with a value, and where in it.
    struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The names on the way to what is wrong.
        var path: [String]
        /// What is wrong with it.
        var text: String

        /// The path and what is wrong.
        var description: String { "\(self.path.joined(separator: ".")) \(self.text)" }
    }

    /// The member's name.
    let name: String
    /// What it must be.
    let kind: Kind
    /// Whether it must be there.
    let isRequired: Bool
    /// The texts that it may be, if they are few.
    let choices: [String]
    private let members: [String: MemberRule]
    private let required: [MemberRule]

    /// Describes a member; what is in it and has no rule may be anything.
    init(
        _ name: String,
        _ kind: Kind,
        required isRequired: Bool = false,
        choices: [String] = [],
        members: [MemberRule] = []
    ) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.choices = choices
        self.members = Dictionary(members.map { ($0.name, $0) }) { $1 }
        self.required = members.filter(\.isRequired)
    }

    /// What is wrong with a value of this member; nil when nothing is.
    func problem(in value: JSONValue) -> Problem? {
        guard self.kind.accepts(value) else {
            return Problem(path: [], text: "must be \(self.kind.rawValue), not \(value.kind)")
        }
        if !self.choices.isEmpty, let text = value.string, !self.choices.contains(text) {
            return Problem(path: [], text: "must be \(self.choices.joined(separator: " or ")), not \"\(text)\"")
        }
        guard !self.members.isEmpty, let object = value.object else { return nil }
        for (name, member) in object {
            guard let rule = self.members[name], !member.isNull, var problem = rule.problem(in: member) else {
                continue
            }
            problem.path.insert(name, at: 0)
            return problem
        }
        for rule in self.required where object[rule.name]?.isNull ?? true {
            return Problem(path: [rule.name], text: "is missing; it must be \(rule.kind.rawValue)")
        }
        return nil
    }
}
