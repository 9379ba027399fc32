internal import IntentEvents
package import IntentKit
internal import WireRules

/// A document that describes the wire, generated from the rules that check events.
package struct WireDocument: Hashable, Sendable {
    /// The path in the directory that contains all of them.
    package var path: String
    package var json: JSONValue

    package init(path: String, json: JSONValue) {
        self.path = path
        self.json = json
    }

    /// The text of the file.
    package var text: String { self.json.indented + "\n" }

    /// Every document: a JSON Schema for each type's data, one for structured mode, one for values and one for the
    /// headers of dead letters, and the AsyncAPI document.
    package static func all(version: String) -> [WireDocument] {
        EventRule.all.map { WireDocument(path: "events/\($0.type.rawValue).json", json: Self.schema(of: $0)) } + [
            WireDocument(path: "structured.json", json: Self.structured),
            WireDocument(path: "values.json", json: Self.values),
            WireDocument(path: "dead-letter-headers.json", json: Self.deadLetterHeaders),
            WireDocument(path: "asyncapi.json", json: AsyncAPIDocument(version: version).json),
        ]
    }

    /// The JSON Schema of a type's data.
    package static func schema(of rule: EventRule) -> JSONValue {
        SchemaWriter(rule.strictness)
            .document(
                rule.data,
                id: Self.id("events/\(rule.type.rawValue)"),
                title: "Data of \(rule.type.rawValue)",
                summary: rule.summary
            )
    }

    /// The JSON Schema of clients' events in structured mode: the lines of a file that `intentd produce` reads.
    package static var structured: JSONValue {
        let rules = EventRule.all.filter(\.type.isInbound)
        let writer = SchemaWriter(.received)
        let shared = rules.reduce(into: [:]) { $0.merge(ValueRule.object($1.structured).sharedRules) { $1 } }
        return .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": .string(Self.id("structured")),
            "title": "An event that clients send, in CloudEvents' structured mode",
            "description": "A line of an input file of `intentd produce`.",
            "$defs": .object(writer.definitions(shared)),
            "required": ["type"],
            "properties": ["type": ["enum": .array(rules.map { .string($0.type.rawValue) })]],
            "allOf": .array(
                rules.map { rule in
                    [
                        "if": ["properties": ["type": ["const": .string(rule.type.rawValue)]]],
                        "then": .object(writer.schema(rule.structured)),
                    ]
                }
            ),
        ])
    }

    /// The JSON Schemas of parameters' values, by type.
    package static var values: JSONValue {
        let writer = SchemaWriter(.received)
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": .string(Self.id("values")),
            "title": "Values of parameters, by type",
            "description": "The value of a list parameter is an array of these; an enumerated value is given by name.",
            "$defs": .object(writer.definitions(Dictionary(ParameterValueRules.all.map { ($0.type, $0.rule) }) { $1 })),
        ]
    }

    /// The JSON Schema of the headers that a dead letter has beside the event's own.
    package static var deadLetterHeaders: JSONValue {
        SchemaWriter(.received)
            .document(
                DeadLetterRule.headers,
                id: Self.id("dead-letter-headers"),
                title: "Headers of a dead letter",
                summary: "In addition to the event's own headers; the value is the event's, byte for byte."
            )
    }

    private static func id(_ name: String) -> String { "urn:intentd:wire:\(name)" }
}
