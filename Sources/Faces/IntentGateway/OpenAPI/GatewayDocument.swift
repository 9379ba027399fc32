package import IntentKit
internal import LocalHTTP
internal import WireRules

/// The OpenAPI 3.1 document of the gateway, generated from its routes.
package struct GatewayDocument: Sendable {
    private static let references = "#/components/schemas/"
    private static let problem = "Problem"

    private let routes: [GatewayRoute]
    private let version: String

    /// Describes the routes that have a description.
    package init(_ routes: [GatewayRoute], version: String) {
        self.routes = routes.filter { $0.operation != nil }
        self.version = version
    }

    package var json: JSONValue {
        var paths: JSONObject = [:]
        for route in self.routes {
            var path = paths[route.path]?.object ?? [:]
            path[route.method.rawValue.lowercased()] = self.operation(route)
            paths[route.path] = .object(path)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "intentd", "version": .string(self.version),
                "description": """
                Requests intents for users, asks them what is missing, and reports the results. The same request again, \
                with the same Idempotency-Key, is always safe. Errors are problems (RFC 9457), and `code` says which.
                """,
                "license": ["name": "Apache License 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"],
            ],
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                        "description": .string(
                            "A token of the issuer. Scopes: "
                                + Caller.Scope.allCases.map(\.rawValue).joined(separator: ", ") + "."
                        ),
                    ]
                ],
                "schemas": .object(self.schemas),
            ],
        ]
    }

    // MARK: Operations

    private func operation(_ route: GatewayRoute) -> JSONValue {
        guard let operation = route.operation else { return .null }
        let inPath = route.path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { part in
                let name = String(part.dropFirst().dropLast())
                return APIOperation.Parameter(
                    .path,
                    name,
                    .text(Self.pathText),
                    operation.parameters.first { $0.location == .path && $0.name == name }?.summary ?? "The \(name)."
                )
            }
        let parameters = inPath + operation.parameters.filter { $0.location != .path }
        var security: JSONValue?
        var codes = operation.errors
        if case .authorized(let scope, _) = route.action {
            security = [["token": .array(scope.map { [.string($0.rawValue)] } ?? [])]]
            codes += [.unauthorized, .forbidden, .tooManyRequests]
        }
        if operation.body != nil { codes.append(.tooLarge) }
        codes += [.invalidRequest, .targetTooLong, .headersTooLarge, .unavailable, .internalError]
        var responses: JSONObject = [:]
        for response in operation.responses { responses["\(response.status)"] = self.response(response) }
        for (status, codes) in Dictionary(grouping: Set(codes), by: \.status) {
            responses["\(status)"] = self.problem(codes.map(\.rawValue).sorted())
        }
        return .members([
            "operationId": .string(operation.id), "summary": .string(operation.summary),
            "security": security,
            "parameters": parameters.isEmpty ? nil : .array(parameters.map(self.parameter)),
            "requestBody": operation.body.map { body in
                [
                    "required": .bool(!body.requiredMembers.isEmpty),
                    "content": ["application/json": ["schema": .object(self.writer(.received).schema(body))]],
                ]
            },
            "responses": .object(responses),
        ])
    }

    private static let pathText = TextForm("an id", minimumLength: 1)

    private func parameter(_ parameter: APIOperation.Parameter) -> JSONValue {
        [
            "in": .string(parameter.location.rawValue), "name": .string(parameter.name),
            "required": .bool(parameter.location == .path), "description": .string(parameter.summary),
            "schema": .object(self.writer(.written).schema(parameter.value)),
        ]
    }

    private func response(_ response: APIOperation.Response) -> JSONValue {
        let schema = JSONValue.object(self.writer(.written).schema(response.body))
        let headers = response.headers.map { header in
            (
                key: header.name,
                value: ["description": .string(header.summary), "schema": ["type": "string"]] as JSONValue
            )
        }
        return .members([
            "description": .string(response.summary),
            "headers": headers.isEmpty ? nil : .object(JSONObject(headers)),
            "content": response.type.isEmpty ? nil : Self.content(response.type, schema),
        ])
    }

    private static func content(_ type: String, _ schema: JSONValue) -> JSONValue {
        .object(JSONObject([(key: type, value: ["schema": schema] as JSONValue)]))
    }

    private func problem(_ codes: [String]) -> JSONValue {
        [
            "description": .string(codes.joined(separator: ", ")),
            "content": ["application/problem+json": ["schema": ["$ref": .string(Self.references + Self.problem)]]],
        ]
    }

    // MARK: Schemas

    private func writer(_ strictness: ValueRule.Strictness) -> SchemaWriter {
        SchemaWriter(strictness, references: Self.references)
    }

    /// The shared descriptions that the routes refer to, those of requests as what is received.
    private var schemas: JSONObject {
        var schemas = JSONObject([(key: Self.problem, value: .object(self.writer(.written).schema(Self.problemRule)))])
        for route in self.routes {
            guard let operation = route.operation else { continue }
            for response in operation.responses {
                schemas.merge(self.writer(.written).definitions(response.body.sharedRules)) { first, _ in first }
            }
            if let body = operation.body {
                schemas.merge(self.writer(.received).definitions(ValueRule.object(body).sharedRules)) { first, _ in
                    first
                }
            }
        }
        return schemas
    }

    private static let problemRule = ObjectRule([
        .required("type", .text(.any), "Always about:blank."),
        .required("title", .text(.any), "The meaning of the status."),
        .required("status", .integer(minimum: 400, maximum: 599), "The status."),
        .required("code", .oneOf(GatewayError.Code.self), "What is wrong, for programs."),
        .required("detail", .text(.any), "What is wrong, for developers."),
    ])
}
