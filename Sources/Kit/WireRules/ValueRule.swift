package import IntentKit

/// The rule for a JSON value on the wire.
///
/// One description serves all purposes: `produce` checks clients' events with it, the tests check with it what intentd
/// writes, and the JSON Schemas and the AsyncAPI document are generated from it (R11).
package indirect enum ValueRule: Sendable {
    /// Any JSON, null included.
    case any
    case text(TextForm)
    case choice([String])
    case boolean
    /// A whole number, within the bounds if there are any.
    case integer(minimum: Int64? = nil, maximum: Int64? = nil)
    case number
    case object(ObjectRule)
    /// An object whose member names the sender chooses.
    case map(ValueRule)
    case list(ValueRule)
    case either([ValueRule])
    case orNull(ValueRule)
    /// A value that is described under a name of its own, since it occurs in several places.
    case shared(String, ValueRule)

    package static func members(_ members: [MemberRule]) -> ValueRule { .object(ObjectRule(members)) }

    /// One of an enumeration's names.
    package static func oneOf<Names: CaseIterable & RawRepresentable<String>>(_ names: Names.Type) -> ValueRule {
        .choice(names.allCases.map(\.rawValue))
    }

    /// The writer of the value, which determines how strictly it is checked.
    package enum Strictness: Sendable {
        /// A client: unknown members are ignored, and null is the same as leaving the member out.
        case received
        /// intentd: a member that is not described is an error.
        case written
    }

    /// What is wrong with a value, and where in it.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The names on the path to the wrong value.
        package var path: [String]
        /// What is wrong with it.
        package var text: String

        package init(path: [String], text: String) {
            self.path = path
            self.text = text
        }

        package var description: String { "\(self.path.joined(separator: ".")) \(self.text)" }
    }

    /// A description of this kind of value, in words.
    package var description: String {
        switch self {
        case .any: "any JSON value"
        case .text(let form): form.description
        case .choice(let choices): choices.joined(separator: " or ")
        case .boolean: "true or false"
        case .integer(let minimum, let maximum):
            "a whole number" + (minimum.map { " from \($0)" } ?? "") + (maximum.map { " to \($0)" } ?? "")
        case .number: "a number"
        case .object, .map: "an object"
        case .list: "an array"
        case .either(let rules): rules.map(\.description).joined(separator: " or ")
        case .orNull(let rule): "\(rule.description) or null"
        case .shared(_, let rule): rule.description
        }
    }
}

/// The members of an object on the wire.
package struct ObjectRule: Sendable {
    /// The members, in the order in which they are documented.
    package let members: [MemberRule]
    private let positions: [String: Int]
    private let required: [MemberRule]

    package init(_ members: [MemberRule]) {
        self.members = members
        self.positions = Dictionary(uniqueKeysWithValues: members.indices.map { (members[$0].name, $0) })
        self.required = members.filter(\.isRequired)
    }

    package subscript(name: String) -> MemberRule? { self.positions[name].map { self.members[$0] } }

    package var requiredMembers: [MemberRule] { self.required }
}

/// A member of an object on the wire.
package struct MemberRule: Sendable {
    package var name: String
    package var value: ValueRule
    /// Its meaning.
    package var summary: String
    package var isRequired: Bool
    /// The default when it is left out, if that is a value.
    package var standard: JSONValue?

    package init(name: String, value: ValueRule, summary: String, isRequired: Bool, standard: JSONValue? = nil) {
        self.name = name
        self.value = value
        self.summary = summary
        self.isRequired = isRequired
        self.standard = standard
    }

    package static func required(_ name: String, _ value: ValueRule, _ summary: String) -> Self {
        Self(name: name, value: value, summary: summary, isRequired: true)
    }

    /// A member that may be left out.
    package static func optional(
        _ name: String,
        _ value: ValueRule,
        _ summary: String,
        standard: JSONValue? = nil
    ) -> Self {
        Self(name: name, value: value, summary: summary, isRequired: false, standard: standard)
    }
}
