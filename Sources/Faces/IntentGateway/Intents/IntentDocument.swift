package import IntentKit
internal import WireDocuments
internal import WireRules

/// An intent as the gateway's clients see it: its title in their language, the JSON Schema of its parameters, and what
/// a client may conclude from its declaration.
package struct IntentDocument: Sendable {
    let registration: IntentRegistration
    /// The language, a tag such as `de-AT`.
    let locale: String

    /// Describes an intent in a language; nil when no handler supports it.
    package init?(_ name: String, of registry: IntentRegistry, locale: String) {
        guard let registration = registry[name]?.registration else { return nil }
        self.registration = registration
        self.locale = locale
    }

    /// All intents in the order of their names.
    package static func all(of registry: IntentRegistry, locale: String) -> [IntentDocument] {
        registry.intentNames.compactMap { IntentDocument($0, of: registry, locale: locale) }
    }

    package var name: String { self.registration.intentName }

    package var title: String { self.text(self.registration.title) ?? Self.words(self.name) }

    /// What it does, and what it asks for.
    package var description: String {
        let parameters = self.registration.parameters.map(self.title)
        return parameters.isEmpty ? self.title : "\(self.title): \(parameters.joined(separator: ", "))"
    }

    /// Whether it only looks something up.
    package var isReadOnly: Bool { self.registration.isReadOnly }
    /// Whether it may change something that cannot be taken back.
    package var isDestructive: Bool { !self.isReadOnly && self.registration.effectiveConfirmation == .always }
    /// Whether a second request, with an id of its own, changes nothing more.
    package var isIdempotent: Bool { self.isReadOnly }

    /// The JSON Schema of its parameters (draft 2020-12).
    ///
    /// None is required: what is missing is asked for. A value may always be given in words, which the stages read.
    package var parameters: JSONObject {
        let properties = self.registration.parameters.map { (key: $0.name, value: JSONValue.object(self.schema($0))) }
        return ["type": "object", "properties": .object(JSONObject(properties)), "additionalProperties": false]
    }

    package var json: JSONValue {
        [
            "name": .string(self.name), "title": .string(self.title), "description": .string(self.description),
            "parameters": .object(self.parameters),
            "hints": [
                "readOnly": .bool(self.isReadOnly), "destructive": .bool(self.isDestructive),
                "idempotent": .bool(self.isIdempotent),
                "confirmedBy": .string(self.registration.effectiveConfirmingParty.rawValue),
            ],
        ]
    }

    private func schema(_ parameter: ParameterDescription) -> JSONObject {
        var one = self.value(parameter)
        if parameter.isList { one = ["type": "array", "items": .object(one)] }
        one["title"] = .string(self.title(parameter))
        one["description"] = self.registration.dialog(parameter.name, self.locale).map(JSONValue.string)
        one["default"] = self.registration.constraints[parameter.name]?.defaultValue
        return one
    }

    /// The schema of one value: its form on the wire, or words.
    private func value(_ parameter: ParameterDescription) -> JSONObject {
        let known = self.registration.constraints[parameter.name]
        let offered = known?.offered ?? []
        guard offered.isEmpty else {
            let choices = offered.map { value -> JSONValue in
                let title = known?.displays[value].flatMap { self.text($0.title) }
                return .members(["const": value, "title": title.map(JSONValue.string)])
            }
            return ["anyOf": .array(choices + [["type": "string"]])]
        }
        guard let rule = ParameterValueRules.all.first(where: { $0.type == parameter.typeName })?.rule else {
            return parameter.typeName == "string" ? ["type": "string"] : [:]
        }
        var schema = SchemaWriter(.received).schema(Self.withoutWords(rule))
        guard schema["type"] != "string" else { return ["type": "string"] }
        if schema["type"] == "integer" || schema["type"] == "number" {
            schema["minimum"] = known?.minimum
            schema["maximum"] = known?.maximum
        }
        return ["anyOf": [.object(schema), ["type": "string"]]]
    }

    /// The form that is not a text, where there are several.
    private static func withoutWords(_ rule: ValueRule) -> ValueRule {
        guard case .either(let rules) = rule else { return rule }
        return rules.first { if case .text = $0 { false } else { true } } ?? rule
    }

    /// What people call a parameter.
    package func title(ofParameter name: String) -> String? {
        self.registration.parameters.first { $0.name == name }.map(self.title)
    }

    private func title(_ parameter: ParameterDescription) -> String {
        self.text(parameter.title) ?? Self.words(parameter.name)
    }

    private func text(_ text: LocalizedText?) -> String? { text.flatMap { $0.text(locale: self.locale) ?? $0.anyText } }

    /// A name as words: `INSendMessageIntent` is "Send message".
    static func words(_ name: String) -> String {
        var name = name[...]
        if name.hasPrefix("IN"), name.hasSuffix("Intent"), name.count > 8 { name = name.dropFirst(2).dropLast(6) }
        var words = ""
        for character in name {
            if character == "_" || character == "." || character == "-" {
                words += " "
            } else if character.isUppercase, let last = words.last, last.isLowercase {
                words += " " + character.lowercased()
            } else {
                words.append(character)
            }
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
