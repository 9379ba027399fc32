import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentGateway

@Suite("Interactions at the gateway's desk")
struct InteractionDeskTests {
    private let ada = Caller(userID: "ada", clientID: "app-1", authorization: "authorized")

    @Test("A conversation of requests and waits ends with its response, at whichever replica each request arrives")
    func holdsConversation() async throws {
        try await Replicas.run(2) { replicas in
            let (one, other) = (replicas.desks[0], replicas.desks[1])
            let asked = try await one.ask(Replicas.lunch(), by: self.ada)
            #expect(!asked.isRepeated)
            let prompted = try await other.interaction(asked.id, of: self.ada, after: 0, within: 30)
            #expect(prompted.state == .awaitingUser)
            #expect(prompted.prompt?["parameter"] == "dish")
            try await other.send(
                .promptAnswered,
                ["promptId": try #require(prompted.prompt?["promptId"]), "value": "soup"],
                to: asked.id,
                by: self.ada
            )
            let confirming = try await one.interaction(asked.id, of: self.ada, after: prompted.revision, within: 30)
            #expect(confirming.prompt?["kind"] == "intentConfirmation")
            try await one.send(
                .promptAnswered,
                ["promptId": try #require(confirming.prompt?["promptId"])],
                to: asked.id,
                by: self.ada
            )
            let ended = try await other.interaction(asked.id, of: self.ada, after: confirming.revision, within: 30)
            #expect(ended.state == .ended)
            #expect(ended.response?["response"]?["dish"] == "soup")
            #expect(ended.prompt == nil)
            #expect(try await one.interactions(of: self.ada, open: true, before: nil, limit: 10).isEmpty)
            #expect(try await one.interactions(of: self.ada, open: nil, before: nil, limit: 10).map(\.id) == [asked.id])
        }
    }

    @Test("What an event says about the user and its client is the token's, whatever the request says")
    func takesUserFromToken() async throws {
        try await Replicas.run { replicas in
            var request = Replicas.lunch("soup")
            request.data["user"] = ["id": "bob", "authenticated": true]
            request.tracing = ["traceparent": "00-1-2-01", "ce_userid": "bob"]
            let caller = Caller(userID: "ada", clientID: "app-1", isAuthenticated: false)
            _ = try await replicas.desk.ask(request, by: caller)
            let record = try #require(try await replicas.log.records(of: .requests, replicas.deployment).first)
            let event = try StoredRecord(record, topic: .requests).decoded()
            #expect(event.userID == "ada")
            #expect(event.data["user"] == ["id": "ada", "authenticated": false])
            #expect(event.passedThrough == ["ce_clientid": "app-1", "traceparent": "00-1-2-01"])
            #expect(event.source == InteractionDesk.source)
        }
    }

    @Test("The same request again returns the interaction, and another one under its id is refused, at any replica")
    func repeatsRequest() async throws {
        try await Replicas.run(2) { replicas in
            let first = try await replicas.desks[0].ask(Replicas.lunch("soup", id: "lunch-1"), by: self.ada)
            for desk in replicas.desks {
                let again = try await desk.ask(Replicas.lunch("soup", id: "lunch-1"), by: self.ada)
                #expect(again.isRepeated)
                #expect(again.request == first.request)
                await #expect(throws: GatewayError.self) {
                    try await desk.ask(Replicas.lunch("fish", id: "lunch-1"), by: self.ada)
                }
            }
        }
    }

    @Test("Of different requests with one id that arrive at two replicas at once, the log decides which one counts")
    func decidesByLog() async throws {
        try await Replicas.run(2, hasStages: false) { replicas in
            for round in 0..<20 {
                let id = InteractionID("lunch-\(round)")
                async let soup = GatewayError.code {
                    _ = try await replicas.desks[0].ask(Replicas.lunch("soup", id: id), by: self.ada)
                }
                async let fish = GatewayError.code {
                    _ = try await replicas.desks[1].ask(Replicas.lunch("fish", id: id), by: self.ada)
                }
                let outcomes = await [soup, fish]
                #expect(outcomes.count { $0 == nil } == 1)
                #expect(outcomes.contains(.idConflict))
            }
        }
    }

    @Test("Another user's interaction is not found, and cannot be answered or cancelled")
    func hidesOthers() async throws {
        try await Replicas.run { replicas in
            let bob = Caller(userID: "bob")
            let asked = try await replicas.desk.ask(Replicas.lunch(id: "lunch-1"), by: self.ada)
            let prompted = try await replicas.desk.interaction(asked.id, of: self.ada, after: 0, within: 30)
            let prompt = try #require(prompted.prompt?["promptId"])
            #expect(
                await GatewayError.code { _ = try await replicas.desk.interaction("lunch-1", of: bob) } == .notFound
            )
            for (type, data) in [
                (EventType.promptAnswered, ["promptId": prompt, "value": "soup"] as JSONObject),
                (.interactionCancelled, [:]), (.appResponded, ["code": "success"]),
            ] {
                await #expect(throws: GatewayError(.notFound, "No interaction lunch-1.")) {
                    try await replicas.desk.send(type, data, to: "lunch-1", by: bob)
                }
            }
            #expect(try await replicas.log.records(of: .requests, replicas.deployment).count == 1)
        }
    }

    @Test("An answer counts once: again with its id it is not sent, another one for the same prompt is superseded")
    func answersOnce() async throws {
        try await Replicas.run(hasStages: true, confirmation: .never) { replicas in
            let asked = try await replicas.desk.ask(Replicas.lunch(), by: self.ada)
            let prompted = try await replicas.desk.interaction(asked.id, of: self.ada, after: 0, within: 30)
            let prompt = try #require(prompted.prompt?["promptId"])
            let answer: JSONObject = ["promptId": prompt, "value": "soup"]
            try await replicas.desk.send(.promptAnswered, answer, to: asked.id, eventID: "a-1", by: self.ada)
            try await replicas.desk.send(.promptAnswered, answer, to: asked.id, eventID: "a-1", by: self.ada)
            #expect(try await replicas.log.records(of: .requests, replicas.deployment).count == 2)
            let second = await GatewayError.code {
                try await replicas.desk.send(.promptAnswered, answer, to: asked.id, eventID: "a-2", by: self.ada)
            }
            #expect(second == .superseded)
            let changed = await GatewayError.code {
                let other: JSONObject = ["promptId": prompt, "value": "fish"]
                try await replicas.desk.send(.promptAnswered, other, to: asked.id, eventID: "a-1", by: self.ada)
            }
            #expect(changed == .idConflict)
            // A client that answers whatever is asked sends the same answer again when something else is asked.
            let later: JSONObject = ["promptId": .string("\(asked.id)/r/9"), "value": "soup"]
            for namesPrompt in [true, false] {
                let code = await GatewayError.code {
                    try await replicas.desk.send(
                        .promptAnswered,
                        later,
                        to: asked.id,
                        eventID: "a-1",
                        namesPrompt: namesPrompt,
                        by: self.ada
                    )
                }
                #expect(code == (namesPrompt ? .idConflict : nil))
            }
            let ended = try await replicas.desk.interaction(
                asked.id,
                of: self.ada,
                after: prompted.revision,
                within: 30
            )
            #expect(ended.state == .ended)
            // It has ended: nothing is sent, and that is no error.
            try await replicas.desk.send(.interactionCancelled, [:], to: asked.id, by: self.ada)
            #expect(try await replicas.log.records(of: .requests, replicas.deployment).count == 2)
        }
    }

    @Test(
        "An unknown intent, a value of the wrong form and a token without the scope are refused before anything is sent"
    )
    func refusesEarly() async throws {
        try await Replicas.run(hasStages: false) { replicas in
            let unknown = InteractionDesk.Request(data: ["intent": ["name": "LunchIntnt"]])
            await #expect(
                throws: GatewayError(.unprocessable, "Unknown intent: LunchIntnt; did you mean LunchIntent?.")
            ) {
                try await replicas.desk.ask(unknown, by: self.ada)
            }
            let malformed = InteractionDesk.Request(data: ["intent": ["name": "LunchIntent", "parameters": 1]])
            #expect(
                await GatewayError.code { _ = try await replicas.desk.ask(malformed, by: self.ada) } == .unprocessable
            )
            var reader = self.ada
            reader.scopes = [.read]
            #expect(
                await GatewayError.code { _ = try await replicas.desk.ask(Replicas.lunch(), by: reader) } == .forbidden
            )
            let long = Replicas.lunch(id: InteractionID(String(repeating: "x", count: 1_025)))
            #expect(await GatewayError.code { _ = try await replicas.desk.ask(long, by: self.ada) } == .invalidRequest)
            let sent = try await replicas.log.records(of: .requests, replicas.deployment)
            #expect(sent.isEmpty)
        }
    }

    @Test("What Kafka does not take is unavailable, and the same request again begins one interaction")
    func isUnavailable() async throws {
        try await Replicas.run(hasStages: false) { replicas in
            replicas.log.inject(.send(LogError(.unavailable, "no broker")))
            let request = Replicas.lunch("soup", id: "lunch-1")
            #expect(await GatewayError.code { _ = try await replicas.desk.ask(request, by: self.ada) } == .unavailable)
            let again = try await replicas.desk.ask(request, by: self.ada)
            #expect(!again.isRepeated)
        }
    }
}
