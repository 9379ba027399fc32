import Foundation
import IntentKit
import IntentTesting
import Testing

@Suite("R75: effects are undone when a task fails, and when its user asks for it", .timeLimit(.minutes(1)))
struct UndoInteractionTests {
    private struct Trip: Intent {
        static let title: LocalizedText? = ["en": "Trip", "de": "Reise"]

        @Parameter var to: String?
    }

    /// Books a flight and a hotel; a trip to nowhere fails after that.
    private struct TripHandler: IntentHandler {
        var handling: Handling<Trip> {
            Handle { intent, context in
                for what in ["flight", "hotel"] {
                    try await context.effect(what) { store in
                        let values: [JSONValue] = [.string(what), .string(intent.to ?? "")]
                        try store.execute("INSERT INTO bookings (what, target) VALUES ($1, $2)", values)
                    }
                }
                if intent.to == "Oslo" {
                    try context.notify("packing", at: context.now + 86_400, saying: "Pack something warm.")
                }
                return IntentResponse(code: intent.to == "nowhere" ? .failure : .success)
            }
            Undo("flight", within: .seconds(3_600)) { intent, context, store in
                guard intent.to != "Rome" else { throw UndoRefusal(["en": "It has left.", "de": "Es ist weg."]) }
                try self.cancel("flight", of: intent, store)
            }
            Undo("hotel", within: .seconds(7_200)) { intent, context, store in
                try self.cancel("hotel", of: intent, store)
            }
        }

        private func cancel(_ what: String, of intent: Trip, _ store: any StoreTransaction) throws {
            let values: [JSONValue] = [.string(what), .string(intent.to ?? "")]
            try store.execute("DELETE FROM bookings WHERE what = $1 AND target = $2", values)
        }
    }

    private static let trips = IntentExtension(
        "Trips",
        migrations: [StoreMigration("bookings/1", sql: "CREATE TABLE bookings (what TEXT, target TEXT) STRICT")]
    ) { IntentRegistration(confirmation: .never) { TripHandler() } }

    private static func bookings(_ trips: TestDeployment) async throws -> [String] {
        try await trips.store.read { store in
            try store.query("SELECT what || ' ' || target FROM bookings ORDER BY rowid", as: String.self)
        }
    }

    @Test("A task that fails leaves no effects, and names what was undone")
    func failedTaskIsUndone() async throws {
        try await TestDeployment.with(Self.trips) { trips in
            let response = try await trips.ask("Trip", ["to": "nowhere"]).response()
            #expect(response.endReason == "failed" && response.effects.isEmpty)
            #expect(response.undone == ["hotel", "flight"] && response.undoFailed.isEmpty)
            #expect(try await Self.bookings(trips).isEmpty)
            try await trips.replay()
        }
    }

    @Test("The only trip is undone after a yes, once")
    func onlyTripIsUndone() async throws {
        try await TestDeployment.with(Self.trips) { trips in
            let booked = try await trips.ask("Trip", ["to": "Lisbon"]).response()
            #expect(booked.effects == ["flight", "hotel"])
            #expect(booked.data["undo"]?["intent"] == "UndoInteraction")
            let parameters = booked.data["undo"]?["parameters"]?.object ?? [:]
            let undo = try await trips.ask("UndoInteraction", locale: "de-DE")
            let prompt = try await undo.prompt(.intentConfirmation)
            #expect(prompt.dialog == "„Reise“ rückgängig machen?" && prompt.parameters == parameters)
            #expect(prompt.details["effects"] == ["hotel", "flight"])
            try await undo.accept()
            let response = try await undo.response()
            #expect(response.code == "success" && response.undone == ["hotel", "flight"])
            #expect(try await Self.bookings(trips).isEmpty)
            let again = try await trips.ask("UndoInteraction", parameters).response()
            #expect(again.code == "failureNothingToUndo" && again.phase == "resolve")
            try await trips.replay()
        }
    }

    @Test("The follow-ups of a trip are cancelled when it is undone")
    func followUpsAreCancelled() async throws {
        try await TestDeployment.with(Self.trips) { trips in
            let trip = try await trips.ask("Trip", ["to": "Oslo"])
            let booked = try await trip.response()
            let started = try #require(booked.data["started"]?.array?.first?["interaction"])
            let undo = try await trips.ask("UndoInteraction")
            _ = try await undo.prompt(.intentConfirmation)
            try await undo.accept()
            #expect(try await undo.response().code == "success")
            guard case .statusUpdate(let data) = try await trip.next() else {
                Issue.record("There was no update.")
                return
            }
            #expect(data["started"] == [["interaction": started, "name": "packing", "state": "cancelled"]])
            try await trips.replay()
        }
    }

    @Test("The user chooses one of several trips, the newest first; trips of other users are not offered")
    func userChooses() async throws {
        try await TestDeployment.with(Self.trips) { trips in
            for city in ["Lisbon", "Paris"] {
                try await trips.ask("Trip", ["to": .string(city)]).response()
                trips.clock.advance(by: .seconds(1))
            }
            let stranger = try await trips.ask("UndoInteraction", as: RequestingUser(id: "eve")).response()
            #expect(stranger.code == "failureNothingToUndo")
            let undo = try await trips.ask("UndoInteraction")
            let prompt = try await undo.prompt(.disambiguation, of: "interaction")
            #expect(prompt.options == ["test-2", "test-1"])
            #expect(prompt.optionTitles == ["Trip", "Trip"])
            try await undo.choose(at: 1)
            _ = try await undo.prompt(.intentConfirmation)
            try await undo.accept()
            #expect(try await undo.response().code == "success")
            #expect(try await Self.bookings(trips) == ["flight Paris", "hotel Paris"])
            try await trips.replay()
        }
    }

    @Test("A refusal changes nothing, and gives the reason")
    func refusalLeavesEverything() async throws {
        try await TestDeployment.with(Self.trips) { trips in
            try await trips.ask("Trip", ["to": "Rome"]).response()
            let undo = try await trips.ask("UndoInteraction", locale: "de")
            _ = try await undo.prompt(.intentConfirmation)
            try await undo.accept()
            let response = try await undo.response()
            #expect(response.code == "failureUndoRefused" && response.data["dialog"] == "Es ist weg.")
            #expect(response.undone.isEmpty)
            // The hotel had been undone in the same transaction.
            #expect(try await Self.bookings(trips) == ["flight Rome", "hotel Rome"])
            try await trips.replay()
        }
    }

    @Test("After the shortest of its time limits a trip can no longer be undone, not even after a late yes")
    func tooLate() async throws {
        try await TestDeployment.with(Self.trips) { trips in
            try await trips.ask("Trip", ["to": "Lisbon"]).response()
            trips.clock.advance(by: .seconds(3_590))
            let undo = try await trips.ask("UndoInteraction")
            _ = try await undo.prompt(.intentConfirmation)
            trips.clock.advance(by: .seconds(60))
            try await undo.accept()
            #expect(try await undo.response().code == "failureTooLate")
            let named = try await trips.ask("UndoInteraction", ["interaction": "test-1"])
            #expect(try await named.response().code == "failureTooLate")
            #expect(try await trips.ask("UndoInteraction").response().code == "failureNothingToUndo")
            #expect(try await Self.bookings(trips) == ["flight Lisbon", "hotel Lisbon"])
            try await trips.replay()
        }
    }

    @Test("The intent is served if an Undo has a time limit, and no other handler may have its name")
    func isServedWhereNeeded() throws {
        struct UndoInteraction: Intent {}
        struct Handler: IntentHandler {
            var handling: Handling<UndoInteraction> { Handle { _, _ in IntentResponse(code: .success) } }
        }
        let other = IntentExtension("Other") { IntentRegistration { Handler() } }
        #expect(try IntentRegistry([Self.trips]).intentNames == ["Trip", "UndoInteraction"])
        #expect(try IntentRegistry([other]).intentNames == ["UndoInteraction"])
        #expect(throws: IntentRegistry.ConfigurationError.self) { try IntentRegistry([Self.trips, other]) }
    }
}
