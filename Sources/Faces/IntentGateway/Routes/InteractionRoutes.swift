internal import IntentEvents
internal import IntentKit
internal import LocalHTTP
internal import WireDocuments
internal import WireRules

/// The routes of interactions and of what their users send.
package struct InteractionRoutes: Sendable {
    /// The most interactions of a page.
    private static let maximumPage: Int64 = 200

    private let desk: InteractionDesk
    private let confirming: ConfirmingRule
    private let drain: Drain

    /// Serves interactions.
    ///
    /// - Parameters:
    ///   - desk: What carries the requests out.
    ///   - confirming: Decides what agents leave to their users.
    ///   - drain: Ends waits when the gateway shuts down.
    package init(_ desk: InteractionDesk, confirming: ConfirmingRule, drain: Drain) {
        self.desk = desk
        self.confirming = confirming
        self.drain = drain
    }

    package var all: [GatewayRoute] {
        [
            self.request, self.list, self.interaction, self.answer, self.cancel, self.report, self.unlock, self.signIn,
            self.replaceVocabulary, self.removeVocabularies,
        ]
    }

    // MARK: Descriptions

    private static let wait = APIOperation.Parameter(
        .header,
        "Prefer",
        .text(.any),
        "wait=N answers when the interaction waits for somebody or has ended, after N seconds (60 at most) in any case."
    )
    private static let key = APIOperation.Parameter(
        .header,
        "Idempotency-Key",
        .text(
            TextForm(
                "1 to 1,024 visible ASCII characters",
                pattern: "^[!-~]+$",
                minimumLength: 1,
                maximumLength: GatewayRequest.maximumIDBytes
            )
        ),
        "The id of what is sent: the same request under the same id again has no further effect."
    )
    private static let accepted = ValueRule.members([.required("accepted", .boolean, "True: Kafka has the event.")])
    private static let applied = (name: "Preference-Applied", summary: "The wait that was honoured.")

    /// The members that clients send; the others are intentd's own, and the user is that of the token.
    private static func body(_ type: EventType, without reserved: [String] = []) -> ObjectRule {
        ObjectRule(EventRule.of(type).data.members.filter { $0.name != "user" && !reserved.contains($0.name) })
    }

    // MARK: Interactions

    private static let reserved = ["redrive", "follows", "dialog"]
    private static let requestBody: ObjectRule = {
        // REST has the intent's name and its parameters as members of their own.
        let members = Self.body(.intentRequested, without: Self.reserved).members.filter { $0.name != "intent" }
        return ObjectRule(
            [
                .required("intent", .text(.nonEmpty), "The intent's name, such as INSendMessageIntent."),
                .optional("parameters", .map(.any), "Values by parameter; GET /v1/intents/{name} describes them."),
            ] + members
        )
    }()

    private var request: GatewayRoute {
        GatewayRoute(
            .post,
            "/v1/interactions",
            APIOperation(
                "requestIntent",
                "Request an intent.",
                parameters: [Self.key, Self.wait],
                body: Self.requestBody,
                responses: [201, 200]
                    .map { status in
                        APIOperation.Response(
                            status,
                            status == 201 ? "The interaction has begun." : "It was requested before.",
                            body: InteractionSnapshot.rule,
                            headers: [(name: "Location", summary: "The address of the interaction."), Self.applied]
                        )
                    },
                errors: [.idConflict, .unprocessable]
            ),
            .authorized(.ask) { request, caller throws(GatewayError) in
                var data = try request.object(Self.requestBody)
                try Self.refuseReserved(in: data)
                data["intent"] = .members(["name": data["intent"], "parameters": data["parameters"]])
                data["parameters"] = nil
                let id = try request.idempotencyKey().map { InteractionID($0) }
                let begun = try await self.desk.ask(
                    InteractionDesk.Request(id: id, data: data, tracing: request.tracing),
                    by: caller
                )
                var response = try await self.response(request, caller, begun, after: nil)
                response.status = begun.isRepeated ? 200 : 201
                let location = Self.address(of: begun.id, request.baseURL)
                response.headers.append((name: "Location", value: location))
                return response
            }
        )
    }

    private static func refuseReserved(in data: JSONObject) throws(GatewayError) {
        guard let name = (["user"] + Self.reserved).first(where: { data[$0] != nil }) else { return }
        throw GatewayError(
            .invalidRequest,
            name == "user" ? "user must be left out: the user is the token's." : "\(name) can be set by intentd only."
        )
    }

    private var list: GatewayRoute {
        GatewayRoute(
            .get,
            "/v1/interactions",
            APIOperation(
                "listInteractions",
                "The user's interactions, the newest first.",
                parameters: [
                    APIOperation.Parameter(
                        .query,
                        "open",
                        .choice(["true", "false"]),
                        "True for those that have not ended, false for the others; without it both."
                    ),
                    APIOperation.Parameter(
                        .query,
                        "limit",
                        .integer(minimum: 1, maximum: Self.maximumPage),
                        "How many, 50 unless given."
                    ),
                    APIOperation.Parameter(.query, "before", .text(Self.position), "`next` of the page before."),
                ],
                responses: [
                    APIOperation.Response(
                        200,
                        "A page of interactions.",
                        body: .members([
                            .required("interactions", .list(InteractionSnapshot.rule), "The interactions."),
                            .required("next", .orNull(.text(.nonEmpty)), "`before` of the next page; null at the end."),
                        ])
                    )
                ]
            ),
            .authorized(.read) { request, caller throws(GatewayError) in
                let query = request.http.query
                let open = try query["open"]
                    .map { text throws(GatewayError) in
                        guard ["true", "false"].contains(text) else {
                            throw GatewayError(.invalidRequest, "The query open must be true or false.")
                        }
                        return text == "true"
                    }
                let limit = Int(try request.integer("limit", in: 1...Self.maximumPage) ?? 50)
                let before = query["before"]
                guard before.map(Self.position.accepts) ?? true else {
                    throw GatewayError(.invalidRequest, "The query before must be `next` of a page: partition:offset.")
                }
                let page = try await self.desk.interactions(
                    of: caller,
                    open: open,
                    before: before.map { RequestID($0) },
                    limit: limit
                )
                let next = page.count == limit ? page.last?.request?.json : nil
                return HTTPServerResponse(json: [
                    "interactions": .array(page.map { self.json($0, caller, request) }), "next": next ?? .null,
                ])
            }
        )
    }

    /// The position of a request; an empty value of a query counts as absent.
    private static let position = TextForm("a position, partition:offset", pattern: "^([0-9]{1,10}:[0-9]{1,19})?$") {
        text in
        if text.isEmpty { return true }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2 && 1...10 ~= parts[0].count && 1...19 ~= parts[1].count
            && parts.joined().allSatisfy { 0x30...0x39 ~= $0 }
    }

    private var interaction: GatewayRoute {
        GatewayRoute(
            .get,
            "/v1/interactions/{id}",
            APIOperation(
                "getInteraction",
                "An interaction.",
                parameters: [
                    APIOperation.Parameter(
                        .query,
                        "after",
                        .integer(minimum: 0, maximum: .max),
                        "With Prefer: wait=N, the last revision that the client has seen."
                    ), Self.wait,
                ],
                responses: [
                    APIOperation.Response(
                        200,
                        "The interaction.",
                        body: InteractionSnapshot.rule,
                        headers: [Self.applied]
                    )
                ],
                errors: [.notFound]
            ),
            .authorized(.read) { request, caller throws(GatewayError) in
                let after = try request.integer("after", in: 0...(.max))
                let found = try await self.desk.interaction(Self.id(in: request), of: caller)
                return try await self.response(request, caller, found, after: after)
            }
        )
    }

    // MARK: What users send about an interaction

    private static let answerBody = Self.body(.promptAnswered)

    private var answer: GatewayRoute {
        self.sending(
            .post,
            "/v1/interactions/{id}/answers",
            "answerPrompt",
            "Answer the open prompt.",
            .answer,
            .promptAnswered,
            errors: [.superseded, .userMustConfirm]
        )
    }

    private var cancel: GatewayRoute {
        self.sending(
            .delete,
            "/v1/interactions/{id}",
            "cancelInteraction",
            "Cancel the interaction.",
            .ask,
            .interactionCancelled
        )
    }

    private var report: GatewayRoute {
        self.sending(
            .post,
            "/v1/interactions/{id}/report",
            "reportFromApp",
            "Report for the app how the intent ended that was handed to it.",
            .ask,
            .appResponded
        )
    }

    /// A route that sends an event about an interaction, and answers with the interaction.
    private func sending(
        _ method: HTTPServerRequest.Method,
        _ path: String,
        _ id: String,
        _ summary: String,
        _ scope: Caller.Scope,
        _ type: EventType,
        errors: [GatewayError.Code] = []
    ) -> GatewayRoute {
        let body = Self.body(type)
        let reason = APIOperation.Parameter(.query, "reason", .text(.any), "The reason, for the record.")
        let isDeletion = method == .delete
        return GatewayRoute(
            method,
            path,
            APIOperation(
                id,
                summary,
                parameters: [Self.key, Self.wait] + (isDeletion ? [reason] : []),
                body: isDeletion ? nil : body,
                responses: [
                    APIOperation.Response(202, "Kafka has the event.", body: InteractionSnapshot.rule),
                    APIOperation.Response(
                        200,
                        "The interaction waits for somebody, or has ended.",
                        body: InteractionSnapshot.rule,
                        headers: [Self.applied]
                    ),
                ],
                errors: errors + [.notFound, .idConflict]
            ),
            .authorized(scope) { request, caller throws(GatewayError) in
                var data: JSONObject = [:]
                if isDeletion {
                    data["reason"] = request.http.query["reason"].map(JSONValue.string)
                } else {
                    data = try request.object(body)
                    try Self.refuseReserved(in: data)
                }
                let interaction = Self.id(in: request)
                // Who may answer or cancel sees what is answered or cancelled.
                let before = try await self.desk.interaction(interaction, of: caller.reading)
                let eventID = try request.idempotencyKey()
                let isNew = try await self.desk.send(type, data, to: interaction, eventID: eventID, by: caller)
                // What was sent before may have led to all that it leads to: then nothing later comes.
                let seen = isNew ? before.revision : nil
                return try await self.response(request, caller, before, after: seen, isSent: true)
            }
        )
    }

    // MARK: What users send about themselves

    private var unlock: GatewayRoute {
        self.telling(
            .post,
            "/v1/devices/{id}/unlocked",
            "deviceUnlocked",
            "The user's device was unlocked.",
            .deviceUnlocked
        ) { ["device": ["id": .string($0[variable: "id"])]] }
    }

    private var signIn: GatewayRoute {
        self.telling(.post, "/v1/signed-in", "signedIn", "The user has signed in.", .userAuthenticated) { _ in [:] }
    }

    private static let vocabularyBody = Self.body(.vocabularyReplaced, without: ["type"])

    private var replaceVocabulary: GatewayRoute {
        self.telling(
            .put,
            "/v1/vocabularies/{type}",
            "replaceVocabulary",
            "Replace the user's vocabulary of a type.",
            .vocabularyReplaced,
            body: Self.vocabularyBody
        ) { request throws(GatewayError) in
            var data = try request.object(Self.vocabularyBody)
            data["type"] = .string(request[variable: "type"])
            if let problem = Self.body(.vocabularyReplaced).problem(in: data, .received) {
                throw GatewayError(.invalidRequest, "\(problem).")
            }
            return data
        }
    }

    private var removeVocabularies: GatewayRoute {
        self.telling(
            .delete,
            "/v1/vocabularies",
            "removeVocabularies",
            "Remove the user's vocabularies.",
            .vocabularyRemoved
        ) { _ in [:] }
    }

    /// A route that sends an event about the user.
    private func telling(
        _ method: HTTPServerRequest.Method,
        _ path: String,
        _ id: String,
        _ summary: String,
        _ type: EventType,
        body: ObjectRule? = nil,
        _ data: @escaping @Sendable (GatewayRequest) throws(GatewayError) -> JSONObject
    ) -> GatewayRoute {
        GatewayRoute(
            method,
            path,
            APIOperation(
                id,
                summary,
                parameters: [Self.key],
                body: body,
                responses: [APIOperation.Response(202, "Kafka has the event.", body: Self.accepted)],
                errors: [.invalidRequest]
            ),
            .authorized(.ask) { request, caller throws(GatewayError) in
                let data = try data(request)
                try Self.refuseReserved(in: data)
                try self.confirming.check(type, data, to: nil, intent: nil, by: caller)
                try await self.desk.send(type, data, to: nil, eventID: try request.idempotencyKey(), by: caller)
                return HTTPServerResponse(status: 202, json: ["accepted": true])
            }
        )
    }

    // MARK: Responses

    private static func id(in request: GatewayRequest) -> InteractionID { InteractionID(request[variable: "id"]) }

    private static func address(of id: InteractionID, _ baseURL: String) -> String {
        "\(baseURL)/v1/interactions/\(Fields.encoded(id.text))"
    }

    private func json(_ snapshot: InteractionSnapshot, _ caller: Caller, _ request: GatewayRequest) -> JSONValue {
        var links = ["self": Self.address(of: snapshot.id, request.baseURL)]
        if caller.isAgent, let prompt = snapshot.prompt, self.confirming.isForUser(prompt, of: snapshot.intent) {
            links["confirm"] = self.confirming.page(of: snapshot.id)
        }
        return snapshot.json(links: links)
    }

    /// The interaction, after the wait that the client prefers.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - caller: The caller.
    ///   - snapshot: The interaction as it is known.
    ///   - revision: What the client has seen; nil if the interaction as it is may be waited for.
    ///   - isSent: Whether an event was sent, which may have changed it.
    /// - Returns: The response: 202 if an event was sent and has not led to anything yet.
    /// - Throws: ``GatewayError``.
    private func response(
        _ request: GatewayRequest,
        _ caller: Caller,
        _ snapshot: InteractionSnapshot,
        after revision: Int64?,
        isSent: Bool = false
    ) async throws(GatewayError) -> HTTPServerResponse {
        var snapshot = snapshot
        if let seconds = request.wait, revision.map({ snapshot.revision <= $0 }) ?? !snapshot.state.isSettled {
            let (id, after) = (snapshot.id, revision ?? snapshot.revision)
            let waited = await self.drain.race { () async -> Result<InteractionSnapshot, GatewayError> in
                do throws(GatewayError) {
                    return .success(
                        try await self.desk.interaction(id, of: caller.reading, after: after, within: seconds)
                    )
                } catch {
                    return .failure(error)
                }
            }
            snapshot = try waited?.get() ?? snapshot
        } else if isSent {
            snapshot = try await self.desk.interaction(snapshot.id, of: caller.reading)
        }
        let isSettled = snapshot.state.isSettled && revision.map { snapshot.revision > $0 } ?? true
        var response = HTTPServerResponse(
            status: isSent && !isSettled ? 202 : 200,
            json: self.json(snapshot, caller, request)
        )
        if let seconds = request.wait {
            response.headers.append((name: "Preference-Applied", value: "wait=\(seconds)"))
        }
        return response
    }
}

extension Caller {
    /// The caller, with the right to see what it has itself requested, answered or cancelled.
    fileprivate var reading: Caller {
        var caller = self
        caller.scopes.insert(.read)
        return caller
    }
}
