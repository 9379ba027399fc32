import IntentKit
import LibCurl

/// One post of an intent: the request, and the meaning of the answer.
struct HTTPPost: Sendable {
    /// A service's answer in the form that the journal keeps: a replay reads it there (R42).
    struct Answer: Codable, Sendable {
        var status: Int
        /// The body, if it is a JSON object, and nested no deeper than clients may.
        var body: String?
    }

    let handling: HTTPHandling
    let intent: IntentSnapshot

    /// Posts the intent, and returns what the answer means.
    ///
    /// - Throws: `JournaledError`, transient for a failure that may pass, as long as the definition allows another
    ///   attempt.
    func handle(_ context: TurnContext) async throws -> HandlerResponse {
        let answer = try await context.run("http") { try await self.post(context) }
        let details = try answer.body.map { try JSONValue(parsing: $0) }?.object ?? [:]
        return HandlerResponse(code: self.handling.code(of: answer.status), details: details)
    }

    private func post(_ context: TurnContext) async throws -> Answer {
        let exchange = HTTPExchange(endpoint: self.handling.endpoint)
        let key = context.idempotencyKey(for: self.intent.name)
        let reply = try await exchange.post(self.body(context), key: key, context)
        guard self.handling.code(of: reply.status) != nil else {
            throw exchange.failure("it answered \(reply.status)", .status(reply.status), after: reply, context)
        }
        let json = try? JSONValue(parsing: reply.body, maximumDepth: HTTPEndpoint.maximumAnswerDepth)
        let body = json.flatMap { $0.object == nil ? nil : $0.description }
        return Answer(status: reply.status, body: body)
    }

    /// The body: the intent as it was confirmed, and its user.
    private func body(_ context: TurnContext) -> JSONValue {
        .members([
            "intent": self.intent.json,
            "interaction": .members([
                "identifier": .string(context.interactionID),
                "groupIdentifier": context.groupIdentifier.map(JSONValue.string),
            ]),
            "user": ["id": .string(context.user.id)],
            "locale": .string(context.locale),
        ])
    }
}
