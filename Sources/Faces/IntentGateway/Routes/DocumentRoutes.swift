internal import IntentKit
internal import LocalHTTP
internal import WireRules

/// The routes of what describes the gateway and its intents.
package struct DocumentRoutes: Sendable {
    package let all: [GatewayRoute]

    /// Describes routes, and those of itself.
    ///
    /// - Parameters:
    ///   - routes: All other routes.
    ///   - version: The version of the program.
    package init(describing routes: [GatewayRoute], version: String) {
        let described = routes + Self.routes("", version)
        self.all = Self.routes(GatewayDocument(described, version: version).json.description, version)
    }

    private static func routes(_ document: String, _ version: String) -> [GatewayRoute] {
        [
            GatewayRoute(
                .get,
                "/v1/openapi.json",
                APIOperation(
                    "getDescription",
                    "This document.",
                    responses: [APIOperation.Response(200, "An OpenAPI 3.1 document.", body: .map(.any))]
                ),
                .open { _ in HTTPServerResponse(type: "application/json", text: document) }
            ),
            GatewayRoute(
                .get,
                "/",
                .open { request in
                    HTTPServerResponse(
                        text: """
                            intentd \(version): the gateway. \(request.baseURL)/v1/openapi.json describes it.

                            """
                    )
                }
            ),
        ]
    }
}
