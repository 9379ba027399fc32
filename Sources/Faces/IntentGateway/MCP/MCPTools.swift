package import IntentKit

/// The tools of MCP: one for each intent, and `answer`, which continues any of them.
package struct MCPTools: Sendable {
    let registry: IntentRegistry

    package init(registry: IntentRegistry) { self.registry = registry }

    /// The name of the tool that answers prompts.
    package static let answer = "answer"

    /// The tools in the order of their names, in a language.
    package func list(locale: String) -> [JSONValue] {
        IntentDocument.all(of: self.registry, locale: locale).filter { $0.name != Self.answer }.map(Self.tool)
            + [Self.answering]
    }

    /// The intent of a tool; nil for `answer`, and for the name of no tool.
    package func intent(_ name: String, locale: String) -> IntentDocument? {
        name == Self.answer ? nil : IntentDocument(name, of: self.registry, locale: locale)
    }

    package var names: [String] { self.registry.intentNames.filter { $0 != Self.answer } + [Self.answer] }

    private static func tool(_ intent: IntentDocument) -> JSONValue {
        [
            "name": .string(intent.name), "title": .string(intent.title),
            "description": .string(intent.description),
            "inputSchema": .object(intent.parameters),
            "annotations": [
                "title": .string(intent.title), "readOnlyHint": .bool(intent.isReadOnly),
                "destructiveHint": .bool(intent.isDestructive), "idempotentHint": .bool(intent.isIdempotent),
            ],
        ]
    }

    private static let answering: JSONValue = [
        "name": .string(Self.answer), "title": "Answer",
        "description": """
        Continues a tool call that has asked something: answers its prompt, or without a prompt waits for what \
        happens next. Pass on what the user has said, in the user's words.
        """,
        "inputSchema": [
            "type": "object",
            "properties": [
                "interaction": ["type": "string", "description": "The interaction that the result names."],
                "promptId": ["type": "string", "description": "The promptId of the prompt in the result."],
                "action": [
                    "type": "string", "enum": ["accept", "decline", "cancel"],
                    "description": "accept for a value, a choice or a yes; decline for a no; cancel to give up.",
                ],
                "value": ["description": "The value that was asked for, or the user's words for it."],
                "choice": ["type": "integer", "minimum": 0, "description": "The index of one of the options."],
                "corrections": [
                    "type": "object",
                    "description": "New values of parameters by their names, if the user changes any.",
                ],
            ],
            "required": ["interaction"], "additionalProperties": false,
        ],
        "annotations": [
            "title": "Answer", "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true,
        ],
    ]
}
