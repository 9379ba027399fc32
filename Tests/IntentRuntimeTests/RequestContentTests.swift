import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("Reused ids (R8)")
struct RequestContentTests {
    private static let content: JSONValue = [
        "intent": ["name": "GreetIntent", "parameters": ["name": "Jeff"]], "user": ["id": "u1"],
    ]

    /// The content with other members.
    private static func with(_ members: JSONObject) -> JSONValue {
        .object((Self.content.object ?? [:]).merging(members) { $1 })
    }

    /// The digest of a request's content.
    private static func digest(of data: JSONValue) -> String {
        var digest = ""
        data.utf8.withUnsafeBufferPointer { text in
            try? JSONTape.withView(of: text) { digest = RequestContent.digest(of: $0) }
        }
        return digest
    }

    @Test(
        "What may differ when a client repeats a request is ignored",
        arguments: [
            ["device": ["id": "d1", "locked": true, "appVersion": "2"]], ["expiresAt": "2026-11-21T12:00:00Z"],
            ["user": ["id": "u1", "authenticated": false, "authorization": "denied"]], ["locale": "en-US"],
            ["timeZone": "Europe/Berlin"], ["locale": .null, "groupIdentifier": .null],
            ["presentation": ["context": "card"]], ["unknown": 7],
            ["intent": ["name": "GreetIntent", "parameters": ["name": "Jeff", "other": .null]]],
        ] as [JSONObject]
    )
    func ignoresWhatMayDifferInRetry(members: JSONObject) {
        #expect(Self.digest(of: Self.with(members)) == Self.digest(of: Self.content))
    }

    @Test(
        "What is asked for is compared",
        arguments: [
            ["intent": ["name": "GreetIntent", "parameters": ["name": "Diana"]]], ["intent": ["name": "GreetIntent"]],
            ["intent": ["name": "OtherIntent", "parameters": ["name": "Jeff"]]], ["locale": "de-DE"],
            ["groupIdentifier": "g"], ["intent": ["name": "GreetIntent", "parameters": ["name": ["Jeff"]]]],
            ["intent": ["name": "GreetIntent", "parameters": "Jeff"]],
        ] as [JSONObject]
    )
    func comparesWhatIsAskedFor(members: JSONObject) {
        #expect(Self.digest(of: Self.with(members)) != Self.digest(of: Self.content))
    }

    @Test("Equal content is a retry, other content is rejected, before and after the end; later it is a new request")
    func sameContentIsRetryAndOtherIsConflict() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            try await pipeline.request("GreetIntent", subject: "i1", extra: ["device": ["locked": false]])
            try await pipeline.request("GreetIntent", ["name": "Eve"], subject: "i1")
            let rejected = try await pipeline.next { _ in true }
            #expect(rejected.type == "event.rejected")
            #expect(rejected.subject == "i1")
            #expect(rejected.data["reason"] == "idConflict")
            try await pipeline.answer(prompt, ["value": "Jeff"])
            let end = try await pipeline.next { _ in true }
            #expect(end.data["intent"]?["parameters"]?["name"] == "Jeff")
            #expect(end.data["endReason"] == "nominal")
            try await pipeline.request("GreetIntent", subject: "i1")
            try await pipeline.request("GreetIntent", ["name": "Eve"], subject: "i1")
            #expect(try await pipeline.next { _ in true }.data["reason"] == "idConflict")
            pipeline.clock.advance(by: .seconds(3_601))
            try await pipeline.request("GreetIntent", ["name": "Eve"], subject: "i1")
            #expect(try await pipeline.end(of: "i1").data["intent"]?["parameters"]?["name"] == "Eve")
        }
    }

    @Test("An entry from before digests takes any content for a retry")
    func entryWithoutDigestAcceptsAnyContent() async throws {
        let environment = try StageEnvironment.tests(.resolve, [IntentRegistration { GreetHandler() }])
        let event = Event(
            id: "e1",
            source: "/tests",
            type: .intentRequested,
            time: Timestamp(milliseconds: 0),
            subject: "i1",
            userID: "u1",
            data: Self.content
        )
        let now = environment.clock.now.milliseconds
        for (content, outcome) in [(nil, TurnOutcome.ignored), ("00", .rejected)] as [(JSONValue?, TurnOutcome)] {
            let table = StateTable()
            let known = JSONValue.members([
                "request": "0:1", "at": .integer(now), "startedAt": .integer(now), "where": "ended", "content": content,
            ])
            table.set(.known("i1"), user: "u1", known.utf8)
            let input = TurnInput(event.stored(on: .requests, offset: 7))
            let result = await Turn.run(input, in: environment, source: table.source(user: "u1"))
            #expect(result?.record.outcome == outcome)
        }
    }
}
