import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import SampleApps
import SiriKitIntents
import Testing

/// Rides through the three stages, with a service that changes meanwhile.
@Suite struct RideConversationTests {
    private static let request: JSONObject = [
        "pickupLocation": "Central Station", "dropOffLocation": "Opera", "rideOptionName": "Economy",
    ]

    /// Asks for an intent, and returns the conversation.
    private static func ask(
        _ intent: String,
        _ parameters: JSONObject,
        id: InteractionID,
        _ pipeline: Pipeline
    ) async throws -> Conversation {
        let conversation = pipeline.client.open(id: id, userID: "anna")
        let data: JSONValue = [
            "intent": ["name": .string(intent), "parameters": .object(parameters)], "user": ["id": "anna"],
            "device": ["id": "phone", "locked": false],
        ]
        try await conversation.send([conversation.makeEvent("intent.requested", data: data)])
        return conversation
    }

    private static func sayYes(to prompt: Event, in conversation: Conversation) async throws {
        let data: JSONValue = [
            "promptId": prompt.data["promptId"] ?? .null, "action": "accept", "user": ["id": "anna"],
        ]
        try await conversation.send([conversation.makeEvent("prompt.answered", data: data)])
    }

    private static func price(_ event: Event) -> String? {
        event.data["response"]?["rideStatus"]?["rideOption"]?["priceRange"]?["maximumPrice"]?.string
    }

    /// Changes the service as its operators do.
    private static func change(
        _ pipeline: Pipeline,
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
    ) async throws {
        _ = try await pipeline.ledger.perform(EffectKey(request: "service", name: name, ordinal: 0)) { store in
            try body(store)
            return .null
        }
    }

    @Test(
        "R29, behaviours 35, 45 and 46: the fare rises before the yes: the user is asked again, and only that price is paid"
    )
    func asksAgainWhenFareRises() async throws {
        try await Pipeline.run(on: .memory, .init(extensions: [RidesExtension.make()], partitions: 1)) { pipeline in
            let conversation = try await Self.ask("INRequestRideIntent", Self.request, id: "ride", pipeline)
            defer { conversation.close() }
            let first = try await conversation.next()
            #expect(first.data["kind"] == "intentConfirmation")
            #expect(Self.price(first) == "5.09")
            try await Self.change(pipeline, "surge") { store in
                try CityRide.setSurge(150, for: "economy", since: .distantPast, in: store)
            }
            try await Self.sayYes(to: first, in: conversation)
            let second = try await conversation.next()
            #expect(second.data["kind"] == "intentConfirmation")
            #expect(Self.price(second) == "7.63")
            try await Self.sayYes(to: second, in: conversation)
            let response = try await conversation.next()
            #expect(response.data["code"] == "success")
            #expect(Self.price(response) == "7.63")
            let fares = try await pipeline.ledger.read { store in
                .array(try store.query("SELECT fare FROM rides", []).map { $0["fare"] ?? .null })
            }
            #expect(fares == [763])
        }
    }

    @Test("behaviours 49 and 51: each change of a ride's status is pushed until the ride ends")
    func pushesRideStatusUntilRideEnds() async throws {
        let rides = RidesExtension.make(statusUpdates: StatusUpdates(every: .milliseconds(100)))
        try await Pipeline.run(on: .memory, .init(extensions: [rides], partitions: 1)) { pipeline in
            try await Self.change(pipeline, "pace") { store in
                var terms = RideTerms()
                terms.pace = 400
                try CityRide.setTerms(terms, in: store)
            }
            let conversation = try await Self.ask("INRequestRideIntent", Self.request, id: "ride", pipeline)
            defer { conversation.close() }
            try await Self.sayYes(to: try await conversation.next(), in: conversation)
            let response = try await conversation.next()
            #expect(response.data["code"] == "success")
            var phases: [INRidePhase] = []
            while phases.last != .completed {
                let update = try await conversation.next()
                try #require(update.type == "status.updated")
                let status = try #require(INRideStatus(json: update.data["response"]?["rideStatus"] ?? .null))
                #expect(status.rideIdentifier?.isEmpty == false)
                phases.append(status.phase)
            }
            let order: [INRidePhase] = [.received, .confirmed, .approachingPickup, .pickup, .ongoing, .completed]
            let indices = phases.compactMap(order.firstIndex)
            #expect(indices.count == phases.count)
            #expect(indices == indices.sorted(), "a ride's phase only advances: \(phases)")
            // Nothing follows its end: the next event for the user is the answer to the next request.
            let feedback = try await Self.ask("INSendRideFeedbackIntent", ["rating": 5], id: "stars", pipeline)
            defer { feedback.close() }
            #expect(try await feedback.next().data["code"] == "success")
        }
    }

    @Test("behaviours 8 and 58: what a handler shows is a copy of what it read, and every turn reads it afresh")
    func readsStoreAfreshInEveryTurn() async throws {
        try await Pipeline.run(on: .memory, .init(extensions: [RidesExtension.make()], partitions: 1)) { pipeline in
            let conversation = try await Self.ask("INRequestRideIntent", Self.request, id: "ride", pipeline)
            defer { conversation.close() }
            let prompt = try await conversation.next()
            let shown = prompt.data
            try await Self.change(pipeline, "closing") { store in
                var terms = RideTerms()
                terms.isAvailable = false
                try CityRide.setTerms(terms, in: store)
            }
            #expect(prompt.data == shown)
            try await Self.sayYes(to: prompt, in: conversation)
            let response = try await conversation.next()
            #expect(response.data["code"] == "failureRequiringAppLaunchServiceTemporarilyUnavailable")
            #expect(response.data["phase"] == "confirm")
            #expect(response.data["userActivity"]?["userInfo"]?["error"] == "serviceUnavailable")
        }
    }
}
