import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("The status of a ride")
struct RideStatusTests {
    private static let intent = "INGetRideStatusIntent"

    private func status(_ fixture: DomainFixture) async throws -> INRideStatus {
        #expect(try await fixture.confirm(Self.intent).code == "ready")
        let response = try await fixture.handle(Self.intent, interaction: UUID().uuidString)
        #expect(response.code == "success")
        return try #require(INRideStatus(json: response.details["rideStatus"] ?? .null), "\(response)")
    }

    @Test("The phase follows from the stored times and the clock")
    func phaseFollowsStoredTimes() async throws {
        var fixture = try await RidesFixture.withRide()
        var phases: [INRidePhase] = []
        for column in ["requested_at", "confirmed_at", "approaching_at", "pickup_at", "departure_at", "arrival_at"] {
            fixture.now = try RidesFixture.moment(column, in: fixture) + 0.001
            phases.append(try await self.status(fixture).phase)
        }
        #expect(phases == [.received, .confirmed, .approachingPickup, .pickup, .ongoing, .completed])
    }

    @Test("behaviour 57: vehicle and driver once they are known, the route so far, and how it ended")
    func showsVehicleDriverRouteAndEnd() async throws {
        var fixture = try await RidesFixture.withRide()
        #expect(try await self.status(fixture).driver == nil)
        fixture.now = try RidesFixture.moment("confirmed_at", in: fixture)
        let confirmed = try await self.status(fixture)
        #expect(confirmed.driver?.displayName.isEmpty == false)
        #expect(confirmed.vehicle?.registrationPlate?.hasPrefix("MB ") == true)
        let begin = try RidesFixture.moment("departure_at", in: fixture)
        let end = try RidesFixture.moment("arrival_at", in: fixture)
        fixture.now = begin
        #expect(try await self.status(fixture).vehicle?.location?.latitude == 50.0)
        fixture.now = begin + end.timeIntervalSince(begin) / 2
        #expect(try await self.status(fixture).vehicle?.location?.latitude == 49.995)
        fixture.now = end
        let completed = try await self.status(fixture)
        #expect(completed.vehicle?.location?.latitude == 49.99)
        #expect(completed.completionStatus?.isCompleted == true)
        #expect(completed.completionStatus?.paymentAmount?.amount == "5.09")
        #expect(completed.completionStatus?.feedbackType == [.rate, .tip])
        #expect(completed.completionStatus?.defaultTippingOptions?.map(\.amount) == ["0.50", "0.80", "1.00"])
    }

    @Test("Without a ride, and a day after the last one, there is no status")
    func withoutRideThereIsNoStatus() async throws {
        let none = try RidesFixture.make()
        #expect(try await none.confirm(Self.intent).code == "failure")
        var fixture = try await RidesFixture.withRide()
        fixture.now += 86_400
        #expect(try await fixture.confirm(Self.intent).code == "ready")
        fixture.now += 86_400
        #expect(try await fixture.handle(Self.intent).code == "failure")
        fixture.user.id = "u2"
        fixture.now = TurnContext.testTime
        #expect(try await fixture.confirm(Self.intent).details["error"] == "noRide", "another user's ride")
    }

    @Test("The current ride comes before a scheduled one")
    func currentRideComesBeforeScheduled() async throws {
        var trip = RidesFixture.trip
        trip["scheduledPickupTime"] = ["start": "2026-11-23T08:00:00Z"]
        var fixture = try await RidesFixture.withRide(trip)
        #expect(try await self.status(fixture).rideIdentifier == "ride/id-1")
        _ = try await fixture.handle("INRequestRideIntent", RidesFixture.trip, interaction: "now")
        #expect(try await self.status(fixture).rideIdentifier == "now/id-1")
        fixture.now += 7_200
        #expect(try await self.status(fixture).rideIdentifier == "ride/id-1", "the next one")
    }

    @Test("A faster pace finishes a ride in a moment")
    func fasterPaceShortensRide() async throws {
        let fixture = try RidesFixture.make().with { $0.pace = 600 }
        _ = try await fixture.handle("INRequestRideIntent", RidesFixture.trip)
        let length = try RidesFixture.moment("arrival_at", in: fixture).timeIntervalSince(fixture.now)
        #expect((0.1...5).contains(length))
    }

    @Test(
        "Updates follow a ride to its end, each from its own interaction",
        arguments: ["INRequestRideIntent", "INGetRideStatusIntent"]
    )
    func updatesFollowRideToItsEnd(intent: String) async throws {
        var fixture = try await RidesFixture.withRide()
        let registration = try fixture.registration(intent)
        #expect(registration.statusUpdates?.every == .seconds(15))
        let snapshot = IntentSnapshot(name: intent)
        fixture.now = try RidesFixture.moment("pickup_at", in: fixture)
        let waiting = try await registration.statusUpdate(snapshot, fixture.context("ride"))
        #expect(waiting.response.details["rideStatus"]?["phase"] == "pickup")
        #expect(!waiting.isLast)
        fixture.now = try RidesFixture.moment("arrival_at", in: fixture)
        let last = try await registration.statusUpdate(snapshot, fixture.context("ride"))
        #expect(last.response.details["rideStatus"]?["phase"] == "completed")
        #expect(last.isLast)
    }

    @Test("Updates end when the ride is cancelled")
    func updatesEndWithCancelledRide() async throws {
        let fixture = try await RidesFixture.withRide()
        _ = try await fixture.handle("INCancelRideIntent", interaction: "cancel")
        let registration = try fixture.registration("INRequestRideIntent")
        let last = try await registration.statusUpdate(
            IntentSnapshot(name: "INRequestRideIntent"),
            fixture.context("ride")
        )
        #expect(last.isLast)
        #expect(last.response.details["rideStatus"]?["completionStatus"]?["isCanceled"] == true)
    }
}
