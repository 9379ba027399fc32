import IntentEvents
import IntentKit
import IntentLab
import LocalHTTP
import Testing

@testable import IntentGateway

@Suite("The gateway's routes, each response held against the OpenAPI document", .timeLimit(.minutes(2)))
struct GatewayRoutesTests {
    /// Serves a replica while the body runs.
    private static func serve(
        confirmation: ConfirmationPolicy = .always,
        _ body: (ServedGateway, Replicas) async throws -> Void
    ) async throws {
        let registry = try Replicas.registry(confirmation)
        try await Replicas.run(confirmation: confirmation) { replicas in
            try await body(ServedGateway(replicas, registry: registry), replicas)
        }
    }

    private static let waiting = [(name: "Prefer", value: "wait=30")]
    private static let lunch: JSONValue = ["intent": "LunchIntent"]

    @Test("Each route succeeds as described: a conversation, the user's own reports, and the documents")
    func servesEachRoute() async throws {
        try await Self.serve { gateway, replicas in
            let asked = try await gateway.call(
                .post,
                "/v1/interactions",
                Self.lunch,
                headers: Self.waiting + [(name: "Idempotency-Key", value: "lunch-1")]
            )
            #expect(asked.status == 201)
            #expect(asked.headers["Location"] == "http://127.0.0.1/v1/interactions/lunch-1")
            #expect(asked.headers["Preference-Applied"] == "wait=30")
            #expect(asked.json["state"] == "awaitingUser")
            let answered = try await gateway.call(
                .post,
                "/v1/interactions/lunch-1/answers",
                ["promptId": try #require(asked.json["prompt"]?["promptId"]), "value": "soup"],
                headers: Self.waiting
            )
            #expect(answered.json["prompt"]?["kind"] == "intentConfirmation")
            let ended = try await gateway.call(
                .post,
                "/v1/interactions/lunch-1/answers",
                ["promptId": try #require(answered.json["prompt"]?["promptId"])],
                headers: Self.waiting + [(name: "Idempotency-Key", value: "yes-1")]
            )
            #expect(ended.status == 200)
            #expect(ended.json["state"] == "ended")
            // The same answer again has nothing to wait for.
            let repeated = try await gateway.call(
                .post,
                "/v1/interactions/lunch-1/answers",
                ["promptId": try #require(answered.json["prompt"]?["promptId"])],
                headers: Self.waiting + [(name: "Idempotency-Key", value: "yes-1")]
            )
            #expect(repeated.status == 200)
            #expect(repeated.json == ended.json)
            let again = try await gateway.call(
                .post,
                "/v1/interactions",
                Self.lunch,
                headers: [(name: "Idempotency-Key", value: "lunch-1")]
            )
            #expect(again.status == 200)

            let other = try await gateway.call(.post, "/v1/interactions", Self.lunch, headers: Self.waiting)
            let id = try #require(other.json["id"]?.string)
            let cancelled = try await gateway.call(
                .delete,
                "/v1/interactions/\(id)?reason=late",
                headers: Self.waiting
            )
            #expect(cancelled.json["state"] == "ended")

            // A report of what was not handed to an app is rejected, by the stage.
            let third = try await gateway.call(.post, "/v1/interactions", Self.lunch, headers: Self.waiting)
            let reported = try await gateway.call(
                .post,
                "/v1/interactions/\(try #require(third.json["id"]?.string))/report",
                ["code": "success"],
                headers: Self.waiting
            )
            #expect(reported.json["rejection"]?["reason"] == "unknown")
            #expect(try await gateway.call(.get, "/v1/interactions/\(id)").json["revision"] != 0)
            let page = try await gateway.call(.get, "/v1/interactions?limit=1")
            let before = try #require(page.json["next"]?.string)
            let rest = try await gateway.call(.get, "/v1/interactions?limit=1&open=false&before=\(before)")
            #expect(rest.json["interactions"]?.array?.count == 1)

            #expect(try await gateway.call(.post, "/v1/devices/phone/unlocked").status == 202)
            #expect(try await gateway.call(.post, "/v1/signed-in").status == 202)
            let terms: JSONValue = ["strings": ["Mum"]]
            #expect(try await gateway.call(.put, "/v1/vocabularies/contactName", terms).status == 202)
            #expect(try await gateway.call(.delete, "/v1/vocabularies").status == 202)

            #expect(try await gateway.call(.get, "/v1/intents").json["intents"]?.array?.count == 1)
            #expect(try await gateway.call(.get, "/v1/intents/LunchIntent").json["name"] == "LunchIntent")
            #expect(try await gateway.call(.get, "/v1/openapi.json").json["openapi"] == "3.1.0")
            #expect(try await gateway.call(.get, "/v1/events").status == 200)
            #expect(gateway.uncalled.isEmpty, "\(gateway.uncalled)")
            _ = replicas
        }
    }

    @Test("Each error is one that the route describes, as a problem with its code")
    func describesErrors() async throws {
        try await Self.serve { gateway, replicas in
            func code(
                _ method: HTTPServerRequest.Method,
                _ target: String,
                _ body: JSONValue? = nil,
                key: String? = nil
            ) async throws -> JSONValue? {
                let headers = key.map { [(name: "Idempotency-Key", value: $0)] } ?? []
                return try await gateway.call(method, target, body, headers: headers).json["code"]
            }
            #expect(try await code(.post, "/v1/interactions", ["intent": "NoIntent"]) == "unprocessable")
            #expect(try await code(.post, "/v1/interactions", [:]) == "invalidRequest")
            let claiming: JSONValue = ["intent": "LunchIntent", "user": [:]]
            #expect(try await code(.post, "/v1/interactions", claiming) == "invalidRequest")
            let redriven: JSONValue = ["intent": "LunchIntent", "redrive": [:]]
            #expect(try await code(.post, "/v1/interactions", redriven) == "invalidRequest")
            #expect(try await code(.post, "/v1/interactions", Self.lunch, key: "a b") == "invalidRequest")
            #expect(try await code(.post, "/v1/interactions", Self.lunch, key: "lunch-1") == nil)
            let fish: JSONValue = ["intent": "LunchIntent", "parameters": ["dish": "fish"]]
            #expect(try await code(.post, "/v1/interactions", fish, key: "lunch-1") == "idConflict")
            #expect(try await code(.get, "/v1/interactions?limit=0") == "invalidRequest")
            #expect(try await code(.get, "/v1/interactions?open=maybe") == "invalidRequest")
            #expect(try await code(.get, "/v1/interactions?before=x") == "invalidRequest")
            #expect(try await code(.get, "/v1/interactions/none") == "notFound")
            #expect(try await code(.delete, "/v1/interactions/none") == "notFound")
            #expect(try await code(.post, "/v1/interactions/none/report", ["code": "success"]) == "notFound")
            #expect(try await code(.get, "/v1/intents/NoIntent") == "notFound")
            #expect(try await code(.get, "/v1/events?after=x") == "invalidRequest")
            #expect(try await code(.put, "/v1/vocabularies/dish", ["strings": 7]) == "invalidRequest")

            let prompted = try await replicas.desk.interaction(
                "lunch-1",
                of: Caller(userID: "ada"),
                after: 0,
                within: 30
            )
            let prompt = try #require(prompted.prompt?["promptId"])
            let path = "/v1/interactions/lunch-1/answers"
            #expect(try await code(.post, path, ["promptId": "lunch-9/resolve/1"]) == "invalidRequest")
            let answer: JSONValue = ["promptId": prompt, "value": "soup"]
            #expect(try await code(.post, path, answer, key: "answer-1") == nil)
            #expect(try await code(.post, path, answer, key: "answer-1") == nil)
            let changed: JSONValue = ["promptId": prompt, "value": "fish"]
            #expect(try await code(.post, path, changed, key: "answer-1") == "idConflict")
        }
    }

    @Test("A method that a resource lacks is 405 with Allow, an unknown resource 404, a foreign host 421")
    func refusesBeforeRoute() async throws {
        try await Self.serve { gateway, _ in
            let wrong = try await gateway.call(.put, "/v1/interactions")
            #expect(wrong.json["code"] == "methodNotAllowed")
            #expect(wrong.headers["Allow"] == "GET, HEAD, POST, OPTIONS")
            #expect(try await gateway.call(.get, "/v2").json["code"] == "notFound")
            let foreign = HTTPServerRequest(.get, ["v1", "intents"], host: "evil.example")
            #expect(await gateway.gateway.respond(to: foreign).status == 421)
        }
    }

    @Test("What the server refuses itself is a problem too")
    func refusesAsProblem() {
        for (status, code) in [
            (400, GatewayError.Code.invalidRequest), (405, .methodNotAllowed), (413, .tooLarge), (414, .targetTooLong),
            (431, .headersTooLarge),
        ] {
            let error = GatewayError(refusal: status, "Why.")
            #expect(error.code == code)
            #expect(error.code.status == status)
            #expect(HTTPServerResponse(error).type == "application/problem+json")
        }
    }
}
