package import IntentKit

/// Writes rules as JSON Schema (draft 2020-12, without anything that draft 7 would read differently).
package struct SchemaWriter: Sendable {
    /// The strictness that follows from the writer of the values.
    package var strictness: ValueRule.Strictness
    /// The prefix of references to shared descriptions.
    package var references: String

    /// Writes schemas whose shared descriptions are at that place of the same document.
    package init(_ strictness: ValueRule.Strictness, references: String = "#/$defs/") {
        self.strictness = strictness
        self.references = references
    }

    package func schema(_ rule: ValueRule) -> JSONObject {
        switch rule {
        case .any: return [:]
        case .text(let form):
            var schema: JSONObject = ["type": "string"]
            schema["pattern"] = form.pattern.map(JSONValue.string)
            schema["format"] = form.format.map(JSONValue.string)
            schema["minLength"] = form.minimumLength.map { .integer(Int64($0)) }
            schema["maxLength"] = form.maximumLength.map { .integer(Int64($0)) }
            return schema
        case .choice(let choices): return ["type": "string", "enum": .array(choices.map(JSONValue.string))]
        case .boolean: return ["type": "boolean"]
        case .integer(let minimum, let maximum):
            var schema: JSONObject = ["type": "integer"]
            schema["minimum"] = minimum.map(JSONValue.integer)
            schema["maximum"] = maximum.map(JSONValue.integer)
            return schema
        case .number: return ["type": "number"]
        case .object(let rule): return self.schema(rule)
        case .map(let rule):
            let schema = self.schema(rule)
            return ["type": "object", "additionalProperties": schema.isEmpty ? true : .object(schema)]
        case .list(let rule):
            let schema = self.schema(rule)
            return ["type": "array", "items": schema.isEmpty ? true : .object(schema)]
        case .either(let rules): return ["anyOf": .array(rules.map { .object(self.schema($0)) })]
        case .orNull(let rule): return Self.orNull(self.schema(rule))
        case .shared(let name, _): return ["$ref": .string(self.references + name)]
        }
    }

    package func schema(_ rule: ObjectRule) -> JSONObject {
        var properties: JSONObject = [:]
        for member in rule.members {
            var schema = self.schema(member.value)
            if self.strictness == .received && !member.isRequired { schema = Self.orNull(schema) }
            schema["description"] = .string(member.summary)
            schema["default"] = member.standard
            properties[member.name] = .object(schema)
        }
        var schema: JSONObject = ["type": "object", "properties": .object(properties)]
        let required = rule.requiredMembers.map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        if self.strictness == .written { schema["additionalProperties"] = false }
        return schema
    }

    /// The schema of a rule as a document of its own, with the shared descriptions.
    package func document(_ rule: ObjectRule, id: String, title: String, summary: String) -> JSONValue {
        var schema = self.schema(rule)
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["$id"] = .string(id)
        schema["title"] = .string(title)
        schema["description"] = .string(summary)
        let definitions = self.definitions(ValueRule.object(rule).sharedRules)
        if !definitions.isEmpty { schema["$defs"] = .object(definitions) }
        return .object(schema)
    }

    /// The schemas of shared descriptions by name.
    package func definitions(_ rules: [String: ValueRule]) -> JSONObject {
        JSONObject(rules.mapValues { .object(self.schema($0)) })
    }

    private static func orNull(_ schema: JSONObject) -> JSONObject {
        if schema.isEmpty { return schema }
        guard let type = schema["type"] else { return ["anyOf": [.object(schema), ["type": "null"]]] }
        var schema = schema
        schema["type"] = [type, "null"]
        if let choices = schema["enum"]?.array { schema["enum"] = .array(choices + [.null]) }
        return schema
    }
}

extension ValueRule {
    /// The shared descriptions that this rule refers to, by name.
    package var sharedRules: [String: ValueRule] {
        switch self {
        case .any, .text, .choice, .boolean, .integer, .number: [:]
        case .object(let rule): rule.members.reduce(into: [:]) { $0.merge($1.value.sharedRules) { $1 } }
        case .map(let rule), .list(let rule), .orNull(let rule): rule.sharedRules
        case .either(let rules): rules.reduce(into: [:]) { $0.merge($1.sharedRules) { $1 } }
        case .shared(let name, let rule): rule.sharedRules.merging([name: rule]) { $1 }
        }
    }
}
