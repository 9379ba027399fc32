import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Requesting a ride")
struct RequestRideTests {
    private let intent = "INRequestRideIntent"

    private func status(_ response: HandlerResponse) throws -> INRideStatus {
        try #require(INRideStatus(json: response.details["rideStatus"] ?? .null), "\(response)")
    }

    @Test("behaviours 44 and 57: confirm books nothing, and shows everything that the user confirms")
    func confirmShowsRideWithoutBooking() async throws {
        let fixture = try RidesFixture.make()
        var trip = RidesFixture.trip
        trip["partySize"] = 2
        let response = try await fixture.confirm(self.intent, trip)
        #expect(response.code == "ready")
        #expect(response.requiresUserConfirmation)
        let status = try self.status(response)
        #expect(status.phase == .unknown)
        #expect(status.rideIdentifier == nil)
        #expect(status.pickupLocation?.json == RidesFixture.station)
        #expect(status.dropOffLocation?.json == RidesFixture.opera)
        #expect(status.rideOption?.priceRange?.maximumPrice == "5.09")
        #expect(response.details["partySize"] == 2)
        #expect(response.details["paymentMethod"]?["name"] == "Meadow Card")
        #expect(response.details["timeToPickup"]?.string?.hasPrefix("PT") == true)
        #expect(try fixture.store.query("SELECT * FROM rides").isEmpty)
    }

    @Test("R29: what the user sees changes with the fare, and not with the clock alone")
    func shownValuesChangeWithFareOnly() async throws {
        var fixture = try RidesFixture.make()
        let shown = try await fixture.confirm(self.intent, RidesFixture.trip).details
        fixture.now += 240
        #expect(try await fixture.confirm(self.intent, RidesFixture.trip).details == shown)
        try fixture.store.write { try CityRide.setSurge(130, for: "economy", since: fixture.now, in: $0) }
        #expect(try await fixture.confirm(self.intent, RidesFixture.trip).details != shown)
    }

    @Test("behaviours 49, 57 and 59: the ride is stored, and the response has all its details")
    func booksRideAndReportsIt() async throws {
        let fixture = try RidesFixture.make()
        var trip = RidesFixture.trip
        trip["partySize"] = 3
        let response = try await fixture.handle(self.intent, trip, interaction: "r")
        #expect(response.code == "success")
        let status = try self.status(response)
        #expect(status.rideIdentifier == "r/id-1")
        #expect(status.phase == .received)
        #expect(status.rideOption?.name == "Economy")
        let row = try #require(try fixture.store.query("SELECT * FROM rides").first)
        #expect(row["user_id"] == "u1" && row["interaction"] == "r" && row["party_size"] == 3)
        #expect(row["fare"] == 509 && row["currency_code"] == "EUR" && row["option"] == "economy")
        #expect(row["pickup_name"] == "Central Station" && row["drop_off_name"] == "Opera")
        #expect(row["requested_at"] == "2026-11-21T12:30:00.000Z")
        #expect(try JSONValue(parsing: row["payment_method"]?.string ?? "")["identificationHint"] == "4711")
    }

    @Test("R30: repeating the turn books nothing and reports the same")
    func repeatedTurnBooksOnce() async throws {
        let fixture = try RidesFixture.make()
        let trip = RidesFixture.trip
        let first = try await fixture.handle(self.intent, trip, interaction: "r")
        try fixture.store.write { _ = try $0.execute("UPDATE rides SET canceled_at = requested_at", []) }
        let second = try await fixture.handle(self.intent, trip, interaction: "r")
        #expect(first == second)
        #expect(try fixture.store.query("SELECT * FROM rides").count == 1)
    }

    @Test("A price that rises after the yes does not affect the user; one that falls does")
    func keepsConfirmedPriceOrLower() async throws {
        var fixture = try RidesFixture.make()
        let store = fixture.store
        try store.write { try CityRide.setSurge(200, for: "economy", since: fixture.now, in: $0) }
        fixture.now += 60
        let later = try await fixture.handle(self.intent, RidesFixture.trip, interaction: "r1")
        #expect(try self.status(later).rideOption?.priceRange?.maximumPrice == "5.09")
        fixture.now += 86_400
        let muchLater = try await fixture.handle(self.intent, RidesFixture.trip, interaction: "r2")
        #expect(try self.status(muchLater).rideOption?.priceRange?.maximumPrice == "10.18")
        fixture.now += 86_400
        try store.write { try CityRide.setSurge(50, for: "economy", since: fixture.now - 1, in: $0) }
        let cheaper = try await fixture.handle(self.intent, RidesFixture.trip, interaction: "r3")
        #expect(try self.status(cheaper).rideOption?.priceRange?.maximumPrice == "2.55")
    }

    @Test("Two users at the same moment get two vehicles; when none is left the service is unavailable")
    func twoUsersGetTwoVehicles() async throws {
        let fixture = try RidesFixture.make()
        try fixture.store.write {
            _ = try $0.execute("DELETE FROM ride_vehicles WHERE identifier NOT IN ('economy-1', 'economy-2')", [])
        }
        var codes: [String?] = []
        for user in ["u1", "u2", "u3"] {
            var other = fixture
            other.user.id = user
            if user == "u3" {
                codes.append(try await other.confirm(self.intent, RidesFixture.trip).code)
            }
            codes.append(try await other.handle(self.intent, RidesFixture.trip, interaction: user).code)
        }
        let unavailable = "failureRequiringAppLaunchServiceTemporarilyUnavailable"
        #expect(codes == ["success", "success", unavailable, unavailable])
        let vehicles = try fixture.store.query("SELECT vehicle FROM rides ORDER BY vehicle")
        #expect(vehicles.map { $0["vehicle"] } == ["economy-1", "economy-2"])
        var tomorrow = fixture
        tomorrow.user.id = "u3"
        tomorrow.now += 86_400
        #expect(try await tomorrow.handle(self.intent, RidesFixture.trip, interaction: "late").code == "success")
    }

    @Test("behaviour 36: paid as the last time, unless the user says otherwise")
    func paysAsLastTime() async throws {
        var fixture = try RidesFixture.make()
        var trip = RidesFixture.trip
        trip["paymentMethod"] = ["type": "debit"]
        let response = try await fixture.handle(self.intent, trip, interaction: "r1")
        #expect(response.details["paymentMethod"]?["name"] == "Family Account")
        fixture.now += 86_400
        let usual = try await fixture.confirm(self.intent, RidesFixture.trip)
        #expect(usual.details["paymentMethod"]?["name"] == "Family Account")
        trip["paymentMethod"] = ["type": "unknown", "name": "cash"]
        #expect(try await fixture.confirm(self.intent, trip).details["paymentMethod"]?["name"] == "Cash")
        trip["paymentMethod"] = ["type": "applePay"]
        let unknown = try await fixture.confirm(self.intent, trip)
        #expect(unknown.code == "failure")
        #expect(unknown.details["error"] == "unknownPaymentMethod")
        #expect(unknown.details["paymentMethods"]?.array?.count == 3)
    }

    @Test(
        "behaviours 48 and 52: an incomplete ride is a failure, and nothing is booked",
        arguments: [
            ["pickupLocation": nil], ["pickupLocation": "Opera"], ["dropOffLocation": nil],
            ["dropOffLocation": RidesFixture.resort], ["rideOptionName": nil], ["rideOptionName": "helicopter"],
            ["partySize": 5], ["partySize": 0], ["scheduledPickupTime": ["start": "2026-11-23"]],
        ] as [[String: JSONValue?]]
    )
    func incompleteRideFails(change: [String: JSONValue?]) async throws {
        let fixture = try RidesFixture.make()
        var trip = RidesFixture.trip
        for (name, value) in change { trip[name] = value }
        #expect(try await fixture.confirm(self.intent, trip).code == "failure")
        #expect(try await fixture.handle(self.intent, trip).code == "failure")
        #expect(try fixture.store.query("SELECT * FROM rides").isEmpty)
    }

    @Test("The vehicle of a scheduled ride is there on time")
    func scheduledVehicleIsOnTime() async throws {
        let fixture = try RidesFixture.make()
        var trip = RidesFixture.trip
        trip["scheduledPickupTime"] = ["start": "2026-11-22T08:00:00+01:00"]
        let confirmation = try await fixture.confirm(self.intent, trip)
        #expect(confirmation.details["timeToPickup"] == nil)
        let response = try await fixture.handle(self.intent, trip)
        let status = try self.status(response)
        #expect(status.estimatedPickupDate?.text == "2026-11-22T07:00:00.000Z")
        #expect(status.scheduledPickupTime?.start == "2026-11-22T08:00:00+01:00")
    }
}
