import Foundation
import IntentKit
import SiriKitIntents
import Testing

@Suite("Cancelling a ride")
struct CancelRideTests {
    private let intent = "INCancelRideIntent"

    @Test("behaviours 44 and 45: cancelling is free for two minutes, and the user sees until when")
    func cancellingIsFreeForTwoMinutes() async throws {
        let fixture = try await RidesFixture.withRide()
        let parameters: JSONObject = ["rideIdentifier": "ride/id-1"]
        let confirmation = try await fixture.confirm(self.intent, parameters)
        #expect(confirmation.code == "ready")
        #expect(confirmation.requiresUserConfirmation)
        #expect(confirmation.details["cancellationFee"] == nil)
        #expect(confirmation.details["cancellationFeeThreshold"] == "2026-11-21T12:32:00.000Z")
        let response = try await fixture.handle(self.intent, parameters, interaction: "c")
        #expect(response.code == "success")
        #expect(response.details["rideStatus"]?["completionStatus"]?["isCanceled"] == true)
        let row = try #require(try fixture.store.query("SELECT * FROM rides").first)
        #expect(row["canceled_at"] == "2026-11-21T12:30:00.000Z" && row["cancellation_fee"] == 0)
    }

    @Test("R29: once cancelling has a fee, what the user sees has changed")
    func feeChangesConfirmation() async throws {
        var fixture = try await RidesFixture.withRide()
        let before = try await fixture.confirm(self.intent)
        fixture.now += 120
        let after = try await fixture.confirm(self.intent)
        #expect(after.code == "ready")
        #expect(after.details != before.details)
        #expect(after.details["cancellationFee"] == ["amount": "5.00", "currencyCode": "EUR"])
        let response = try await fixture.handle(self.intent, interaction: "c")
        #expect(response.details["rideStatus"]?["completionStatus"]?["paymentAmount"]?["amount"] == "5.00")
        #expect(try fixture.store.query("SELECT cancellation_fee FROM rides").first?["cancellation_fee"] == 500)
    }

    @Test("A scheduled ride can be cancelled free of charge until its vehicle starts")
    func scheduledRideIsFreeUntilVehicleStarts() async throws {
        var trip = RidesFixture.trip
        trip["scheduledPickupTime"] = ["start": "2026-11-23T08:00:00Z"]
        var fixture = try await RidesFixture.withRide(trip)
        fixture.now += 86_400
        #expect(try await fixture.confirm(self.intent).details["cancellationFee"] == nil)
        fixture.now = try RidesFixture.moment("approaching_at", in: fixture)
        #expect(try await fixture.confirm(self.intent).details["cancellationFee"]?["amount"] == "5.00")
    }

    @Test("An unknown ride, another user's, one that has begun, one that is already cancelled")
    func failsForRidesThatCannotBeCancelled() async throws {
        let none = try RidesFixture.make()
        #expect(try await none.confirm(self.intent).details["error"] == "noRide")
        var fixture = try await RidesFixture.withRide()
        let unknown = try await fixture.confirm(self.intent, ["rideIdentifier": "r2"])
        #expect(unknown.code == "failure")
        var other = fixture
        other.user.id = "u2"
        #expect(try await other.handle(self.intent, ["rideIdentifier": "ride/id-1"]).code == "failure")
        _ = try await fixture.handle(self.intent, interaction: "c")
        let again = try await fixture.confirm(self.intent, ["rideIdentifier": "ride/id-1"])
        #expect(again.details["errorDescription"] == "The ride to Opera was cancelled already.")
        fixture = try await RidesFixture.withRide()
        fixture.now = try RidesFixture.moment("departure_at", in: fixture)
        let begun = try await fixture.handle(self.intent, ["rideIdentifier": "ride/id-1"], interaction: "c")
        #expect(begun.code == "failure")
        #expect(begun.details["error"] == "tooLate")
        #expect(try fixture.store.query("SELECT canceled_at FROM rides").first?["canceled_at"] == .null)
    }

    @Test("The vehicle of a cancelled ride is free again")
    func freesVehicleOfCancelledRide() async throws {
        let fixture = try RidesFixture.make()
        try fixture.store.write { _ = try $0.execute("DELETE FROM ride_vehicles WHERE identifier <> 'economy-1'", []) }
        _ = try await fixture.handle("INRequestRideIntent", RidesFixture.trip, interaction: "r1")
        _ = try await fixture.handle(self.intent, interaction: "c")
        #expect(try await fixture.handle("INRequestRideIntent", RidesFixture.trip, interaction: "r2").code == "success")
    }
}
