package import IntentKit
internal import WireRules

/// The OpenAPI 3.1 document of the calls that intentd makes to services, generated from the rules that check the
/// answers (R61).
package struct OpenAPIDocument: Sendable {
    /// The version of intentd.
    private let version: String
    private let writer = SchemaWriter(.received, references: "#/components/schemas/")

    package init(version: String) {
        self.version = version
    }

    package var json: JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "A service that intentd calls", "version": .string(self.version),
                "description": """
                The calls to a declared intent's service (handler: {service: {url: …}}), and its answers. intentd is \
                the client. Members that are not described are ignored, on both sides; null is the same as leaving a \
                member out. Answers have at most \(HTTPEndpoint.maximumAnswerBytes) bytes, and nest arrays and objects \
                \(HTTPEndpoint.maximumAnswerDepth) deep at most.
                """,
                "license": ["name": "Apache License 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"],
            ],
            "servers": [["url": "http://127.0.0.1:8000", "description": "The definition's url."]],
            "paths": .object(
                JSONObject(
                    ServiceCall.allCases.map { (key: "/\($0.rawValue)", value: ["post": self.operation($0)]) }
                )
            ),
            "components": ["schemas": .object(self.schemas)],
        ]
    }

    private func operation(_ call: ServiceCall) -> JSONValue {
        .members([
            "operationId": .string(call.rawValue),
            "summary": .string(call.summary),
            "parameters": call.hasKey ? [Self.idempotencyKey(of: call)] : nil,
            "requestBody": ["required": true, "content": Self.content("\(call.rawValue).request")],
            "responses": [
                "2XX": [
                    "description": "The answer.", "content": Self.content("\(call.rawValue).answer"),
                ],
                "3XX": ["description": "An error: redirections are not followed."],
                "4XX": [
                    "description": "A permanent error, except for 408, 425 and 429, which are retried with backoff."
                ],
                "5XX": [
                    "description": "500, 502, 503 and 504 are retried with backoff. Others are permanent errors."
                ],
            ],
        ])
    }

    private static func idempotencyKey(of call: ServiceCall) -> JSONValue {
        [
            "name": "Idempotency-Key", "in": "header", "required": true,
            "description": call == .lookup
                ? "The key of the call of handle that is asked about."
                : "Identifies repeated calls: the effect of a key must be performed only once.",
            "schema": ["type": "string", "pattern": "^[!-~]+$"],
        ]
    }

    private static func content(_ schema: String) -> JSONValue {
        ["application/json": ["schema": ["$ref": .string("#/components/schemas/\(schema)")]]]
    }

    private var schemas: JSONObject {
        var schemas: JSONObject = [:]
        for call in ServiceCall.allCases {
            for (name, rule) in [("request", call.request), ("answer", call.answer)] {
                schemas["\(call.rawValue).\(name)"] = .object(self.writer.schema(rule))
                schemas.merge(self.writer.definitions(ValueRule.object(rule).sharedRules)) { $1 }
            }
        }
        for outcome in ServiceCall.outcomes {
            guard var schema = schemas[outcome.name]?.object else { continue }
            schema["description"] = .string(outcome.summary)
            schemas[outcome.name] = .object(schema)
        }
        return schemas
    }
}
