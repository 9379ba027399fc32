import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("SiriKit's behaviours: user activities")
struct UserActivityTests {
    private static func pipeline(
        _ response: ProbeHandler.Response,
        _ body: (Pipeline) async throws -> Void
    ) async throws {
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.handle = { _, _ in response }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request(
                "ProbeIntent",
                ["first": "a", "second": "b"],
                subject: "i1",
                extra: ["groupIdentifier": "g1"]
            )
            try await body(pipeline)
        }
    }

    private static func activities(_ pipeline: Pipeline) async throws -> [Event] {
        try await pipeline.records(of: .userActivities).map { try StoredRecord($0, topic: .userActivities).decoded() }
    }

    @Test("Where no activity is given one is created, named after the intent (behaviour 61)")
    func activityIsCreatedByDefault() async throws {
        try await Self.pipeline(.init(code: .failureRequiringAppLaunch)) { pipeline in
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["userActivity"] == ["activityType": "ProbeIntent", "userInfo": [:]])
            #expect(try await Self.activities(pipeline).map { $0.data["activityType"] } == ["ProbeIntent"])
        }
    }

    @Test("A custom activity carries the interaction, too: intent, response, status (behaviours 62, 63, 64)")
    func customActivityCarriesInteraction() async throws {
        let activity = UserActivity(activityType: "com.example.retry", userInfo: ["error": "offline"])
        let answer = ProbeHandler.Response(
            code: .failureRequiringAppLaunch,
            userActivity: activity,
            details: ["tried": 1]
        )
        try await Self.pipeline(answer) { pipeline in
            _ = try await pipeline.next(of: "i1")
            let created = try #require(try await Self.activities(pipeline).first)
            #expect(created.data["activityType"] == "com.example.retry")
            #expect(created.data["userInfo"] == ["error": "offline"])
            let interaction = created.data["interaction"]
            #expect(interaction?["identifier"] == "i1")
            #expect(interaction?["groupIdentifier"] == "g1")
            #expect(interaction?["intent"] == ["name": "ProbeIntent", "parameters": ["first": "a", "second": "b"]])
            #expect(interaction?["intentResponse"] == ["code": "failureRequiringAppLaunch", "tried": 1])
            #expect(interaction?["intentHandlingStatus"] == "failure")
            let dates = interaction?["dateInterval"]
            let start = try #require(dates?["start"]?.string.flatMap(Timestamp.init))
            let end = try #require(dates?["end"]?.string.flatMap(Timestamp.init))
            #expect(start <= end)
        }
    }

    @Test(
        "On success an activity is optional; a given one is delivered (behaviour 65)",
        arguments: [true, false]
    )
    func successActivityIsOptional(isGiven: Bool) async throws {
        let activity = isGiven ? UserActivity(title: "Look at it") : nil
        try await Self.pipeline(.init(code: .success, userActivity: activity)) { pipeline in
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["userActivity"]?.isNull == !isGiven)
            #expect(try await Self.activities(pipeline).count == (isGiven ? 1 : 0))
        }
    }

    @Test("The activity is available with the response that hands over to the app, and later (behaviours 54, 67, 68)")
    func activityComesWithResponseAndLater() async throws {
        try await Self.pipeline(.init(code: .continueInApp, userActivity: UserActivity(title: "Go on"))) { pipeline in
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["status"] == "deferredToApplication")
            // Both were committed at once: a reader that finds one also finds the other, without waiting.
            let now = try await Self.activities(pipeline)
            #expect(now.map { $0.data["title"] } == ["Go on"])
            #expect(now.first?.data["title"] == response.data["userActivity"]?["title"])
            #expect(now.first?.subject == response.subject)
            try await pipeline.request("ProbeIntent", ["first": "c", "second": "d"], subject: "i2")
            _ = try await pipeline.next(of: "i2")
            let later = try await Self.activities(pipeline)
            #expect(later.first == now.first)
            #expect(later.count == 2)
        }
    }
}
