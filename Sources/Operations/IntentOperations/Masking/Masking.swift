package import IntentKit

/// Masks sensitive values (R40): what terminal, console and files show passes through it, unless a person has asked to
/// see them.
package struct Masking: Sendable {
    /// The text in place of a masked value.
    package static let mask = "•••"

    /// The sensitive parameters of each intent that has some.
    private let byIntent: [String: Set<String>]
    private let all: Set<String>
    /// Whether the sensitive parameters are unknown: then everything is masked.
    private let isUnknown: Bool
    /// Whether the caller has asked to see all values.
    package let isRevealed: Bool

    package init(_ byIntent: [String: Set<String>]) { self.init(byIntent, isUnknown: false, isRevealed: false) }

    private init(_ byIntent: [String: Set<String>], isUnknown: Bool, isRevealed: Bool) {
        self.byIntent = byIntent.filter { !$0.value.isEmpty }
        self.all = byIntent.values.reduce(into: []) { $0.formUnion($1) }
        self.isUnknown = isUnknown
        self.isRevealed = isRevealed
    }

    /// Masks every value that a user said or got.
    package static let everything = Self([:], isUnknown: true, isRevealed: false)
    /// Masks nothing.
    package static let revealed = Self([:], isUnknown: false, isRevealed: true)

    package init(_ intents: IntentSet) {
        var byIntent: [String: Set<String>] = [:]
        for registration in intents.extensions.flatMap(\.registrations) {
            byIntent[registration.intentName] = Set(registration.parameters.filter(\.isSensitive).map(\.name))
        }
        self.init(byIntent)
    }

    /// Whether no intent has anything to mask.
    package var isEmpty: Bool { self.all.isEmpty && !self.isUnknown }

    /// Whether a parameter is sensitive; for an unknown intent, whether it is sensitive in any intent.
    package func contains(_ parameter: String, of intent: String?) -> Bool {
        self.isUnknown || (intent.map { self.byIntent[$0] ?? [] } ?? self.all).contains(parameter)
    }

    /// An event's data with everything sensitive masked, and texts that repeat it.
    ///
    /// Where the intent of the data is not known, as in an answer, the parameters of all intents count.
    package func masked(_ data: JSONValue) -> JSONValue {
        guard !self.isUnknown else { return Self.maskingValues(data) }
        let intent = data["intent"]?["name"]?.string ?? data["intent"]?.string
        let names = intent.map { self.byIntent[$0] ?? [] } ?? self.all
        guard !names.isEmpty else { return data }
        var secrets: Set<String> = []
        var masked = Self.mask(data, names: names, secrets: &secrets)
        masked = self.maskPrompt(masked, names: names, isKnown: intent != nil, secrets: &secrets)
        return Self.replace(masked, secrets: secrets.sorted { $0.count > $1.count })
    }

    /// Parameters of an intent with the sensitive ones masked.
    package func masked(parameters: JSONValue, of intent: String?) -> JSONValue {
        guard !self.isUnknown else { return Self.maskingMembers(parameters) }
        var secrets: Set<String> = []
        return Self.mask(parameters, names: intent.map { self.byIntent[$0] ?? [] } ?? self.all, secrets: &secrets)
    }

    /// A value at a path such as `responses[0].intent.parameters.amount`, masked accordingly.
    package func masked(_ value: JSONValue, at path: String) -> JSONValue {
        guard !self.isUnknown else { return .string(Self.mask) }
        let names = path.split { $0 == "." || $0 == "[" || $0 == "]" || $0 == ":" }.map(String.init)
        guard !names.contains(where: self.all.contains) else { return .string(Self.mask) }
        return self.masked(value)
    }

    /// The content of an event, without any value.
    private static func maskingValues(_ data: JSONValue) -> JSONValue {
        switch data {
        case .object(let members):
            var masked = members
            for (name, member) in members {
                switch name {
                case "parameters", "corrections", "response", "userInfo", "shown", "confirmed", "refused", "displays",
                    "declined", "understood", "ambiguous":
                    masked[name] = Self.maskingMembers(member)
                case "value", "item", "options", "dialog", "strings", "title", "detail", "effects", "view", "reads",
                    "text":
                    masked[name] = Self.placeholder(for: member)
                case "itemDisplay", "optionDisplays": masked[name] = Self.display(for: member)
                default: masked[name] = Self.maskingValues(member)
                }
            }
            return .object(masked)
        case .array(let elements): return .array(elements.map(Self.maskingValues))
        case .null, .bool, .integer, .number, .string: return data
        }
    }

    private static func maskingMembers(_ value: JSONValue) -> JSONValue {
        guard let members = value.object else { return Self.placeholder(for: value) }
        return .object(members.mapValues(Self.placeholder))
    }

    /// The mask in place of a value: for a list one for each of its values, so that it is still a list.
    private static func placeholder(for value: JSONValue) -> JSONValue {
        if value.isNull { return value }
        guard let elements = value.array else { return .string(Self.mask) }
        return .array(elements.map { _ in .string(Self.mask) })
    }

    /// Masks the members that contain a value without its parameter's name: those of prompts and of answers.
    private func maskPrompt(
        _ data: JSONValue,
        names: Set<String>,
        isKnown: Bool,
        secrets: inout Set<String>
    ) -> JSONValue {
        guard var members = data.object else { return data }
        let isSensitive = members["parameter"]?.string.map(names.contains) ?? !isKnown
        guard isSensitive else { return data }
        for name in ["value", "item", "options"] {
            guard let value = members[name] else { continue }
            Self.collect(value, into: &secrets)
            members[name] = Self.placeholder(for: value)
        }
        for name in ["itemDisplay", "optionDisplays"] {
            guard let display = members[name] else { continue }
            Self.collect(display, into: &secrets)
            members[name] = Self.display(for: display)
        }
        return .object(members)
    }

    /// The mask in place of what is shown of a value, or of several: a title of that form.
    private static func display(for value: JSONValue) -> JSONValue {
        if let elements = value.array { return .array(elements.map { Self.display(for: $0) }) }
        return ["title": .string(Self.mask)]
    }

    private static func mask(_ value: JSONValue, names: Set<String>, secrets: inout Set<String>) -> JSONValue {
        switch value {
        case .object(let members):
            var masked = members
            for (name, member) in members {
                if names.contains(name), !member.isNull {
                    Self.collect(member, into: &secrets)
                    masked[name] = Self.placeholder(for: member)
                } else {
                    masked[name] = Self.mask(member, names: names, secrets: &secrets)
                }
            }
            return .object(masked)
        case .array(let elements):
            return .array(elements.map { Self.mask($0, names: names, secrets: &secrets) })
        case .null, .bool, .integer, .number, .string: return value
        }
    }

    /// The texts in a sensitive value, except very short ones, which would hide harmless text.
    private static func collect(_ value: JSONValue, into secrets: inout Set<String>) {
        switch value {
        case .string(let text): if text.count > 2, text != Self.mask { secrets.insert(text) }
        case .array(let elements): for element in elements { Self.collect(element, into: &secrets) }
        case .object(let members): for member in members.values { Self.collect(member, into: &secrets) }
        case .null, .bool, .integer, .number: break
        }
    }

    private static func replace(_ value: JSONValue, secrets: [String]) -> JSONValue {
        guard !secrets.isEmpty else { return value }
        switch value {
        case .string(let text):
            var text = text
            for secret in secrets where text.contains(secret) { text = text.replacing(secret, with: Self.mask) }
            return .string(text)
        case .array(let elements): return .array(elements.map { Self.replace($0, secrets: secrets) })
        case .object(let members): return .object(members.mapValues { Self.replace($0, secrets: secrets) })
        case .null, .bool, .integer, .number: return value
        }
    }
}
