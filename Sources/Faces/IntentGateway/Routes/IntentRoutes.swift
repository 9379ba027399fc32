package import IntentKit
internal import LocalHTTP
internal import WireRules

/// The routes of what can be requested.
package struct IntentRoutes: Sendable {
    private let registry: IntentRegistry

    package init(_ registry: IntentRegistry) { self.registry = registry }

    private static let language = APIOperation.Parameter(
        .header,
        "Accept-Language",
        .text(.any),
        "The language of titles, such as de-DE."
    )

    private static let rule = ValueRule.shared(
        "IntentDescription",
        .members([
            .required("name", .text(.nonEmpty), "The intent's name."),
            .required("title", .text(.any), "What people call it."),
            .required("description", .text(.any), "What it does, and what it asks for."),
            .required("parameters", .map(.any), "The JSON Schema of its parameters."),
            .required("hints", .map(.any), "What a client may conclude from its declaration."),
        ])
    )

    package var all: [GatewayRoute] {
        [
            GatewayRoute(
                .get,
                "/v1/intents",
                APIOperation(
                    "listIntents",
                    "The intents that can be requested.",
                    parameters: [Self.language],
                    responses: [
                        APIOperation.Response(
                            200,
                            "The intents, by name.",
                            body: .members([.required("intents", .list(Self.rule), "The intents.")])
                        )
                    ]
                ),
                .authorized(.read) { request, _ throws(GatewayError) in
                    let documents = IntentDocument.all(of: self.registry, locale: request.locale)
                    return HTTPServerResponse(json: ["intents": .array(documents.map(\.json))])
                }
            ),
            GatewayRoute(
                .get,
                "/v1/intents/{name}",
                APIOperation(
                    "getIntent",
                    "An intent.",
                    parameters: [Self.language],
                    responses: [APIOperation.Response(200, "The intent.", body: Self.rule)],
                    errors: [.notFound]
                ),
                .authorized(.read) { request, _ throws(GatewayError) in
                    let name = request[variable: "name"]
                    guard let document = IntentDocument(name, of: self.registry, locale: request.locale) else {
                        let hint = NearMiss.hint(name, among: self.registry.intentNames)
                        throw GatewayError(.notFound, "No intent \(ClientMember.shown(name))\(hint).")
                    }
                    return HTTPServerResponse(json: document.json)
                }
            ),
        ]
    }
}
