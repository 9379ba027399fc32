import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Listing rides")
struct ListRideOptionsTests {
    private let intent = "INListRideOptionsIntent"
    private let trip: JSONObject = [
        "pickupLocation": RidesFixture.station, "dropOffLocation": RidesFixture.opera,
    ]

    @Test("behaviour 57: every kind of ride with its price, the price's parts, and when it could be there")
    func listsOptionsWithPriceAndPickupTime() async throws {
        let fixture = try RidesFixture.make()
        #expect(try await fixture.confirm(self.intent, self.trip).code == "ready")
        let response = try await fixture.handle(self.intent, self.trip)
        #expect(response.code == "success")
        let options = try #require([INRideOption](json: response.details["rideOptions"] ?? .null))
        #expect(options.map(\.name) == ["Economy", "Comfort", "Van"])
        // 1.81 km as the crow flies, 2.35 km of streets: 2.50 + 2.59 and so on; the van costs its minimum.
        #expect(options.map { $0.priceRange?.maximumPrice } == ["5.09", "8.00", "10.00"])
        #expect(options[0].fareLineItems?.map(\.price) == ["2.50", "2.59"])
        #expect(options[2].fareLineItems?.map(\.title) == ["Base fare", "Distance", "Minimum fare"])
        #expect(options[2].disclaimerMessage == "Room for six people or a lot of luggage.")
        #expect(options[2].availablePartySizeOptions?.first?.maximumPartySize == 6)
        #expect(options.allSatisfy { ($0.estimatedPickupDate?.date ?? .distantPast) > fixture.now })
        let methods = try #require([INPaymentMethod](json: response.details["paymentMethods"] ?? .null))
        #expect(methods.map(\.name) == ["Meadow Card", "Family Account", "Cash"])
        #expect(response.details["expirationDate"] == "2026-11-21T12:32:00.000Z")
        #expect(try fixture.store.query("SELECT * FROM rides").isEmpty)
    }

    @Test("High demand raises the price from the moment at which it begins")
    func surgeRaisesPriceFromItsStart() async throws {
        var fixture = try RidesFixture.make()
        try fixture.store.write { try CityRide.setSurge(150, for: "economy", since: fixture.now + 10, in: $0) }
        func economy() async throws -> INRideOption? {
            let response = try await fixture.handle(self.intent, self.trip)
            return [INRideOption](json: response.details["rideOptions"] ?? .null)?.first { $0.name == "Economy" }
        }
        #expect(try await economy()?.priceRange?.minimumPrice == "5.09")
        #expect(try await economy()?.specialPricing == nil)
        fixture.now += 10
        #expect(try await economy()?.priceRange?.minimumPrice == "7.63")
        #expect(try await economy()?.specialPricing == "High demand: 150 % of the usual price")
        #expect(try await economy()?.fareLineItems?.map(\.price) == ["2.50", "2.59", "2.54"])
    }

    @Test("A kind of ride without a free vehicle is not offered; without any it fails")
    func omitsOptionsWithoutFreeVehicle() async throws {
        let fixture = try RidesFixture.make()
        try fixture.store.write { _ = try $0.execute("DELETE FROM ride_vehicles WHERE option <> 'van'", []) }
        let response = try await fixture.handle(self.intent, self.trip)
        #expect(response.details["rideOptions"]?.array?.map { $0["name"] } == ["Van"])
        try fixture.store.write { _ = try $0.execute("DELETE FROM ride_vehicles", []) }
        let failure = try await fixture.handle(self.intent, self.trip)
        #expect(failure.code == "failure")
        #expect(failure.details["error"] == "noVehicle")
    }

    @Test("behaviour 48: an incomplete trip is a failure", arguments: ["pickupLocation", "dropOffLocation"])
    func incompleteTripFails(missing: String) async throws {
        let fixture = try RidesFixture.make()
        var trip = self.trip
        trip[missing] = nil
        #expect(try await fixture.confirm(self.intent, trip).code == "failure")
        trip[missing] = "opera"
        #expect(try await fixture.handle(self.intent, trip).details["error"] == "incomplete", "a name is no place yet")
    }

    @Test("The previous ride needs feedback first, where the service demands it")
    func previousRideNeedsFeedback() async throws {
        var fixture = try await RidesFixture.withRide()
        fixture.now += 86_400
        #expect(try await fixture.confirm(self.intent, self.trip).code == "ready")
        let strict = try fixture.with { $0.demandsFeedback = true }
        let response = try await strict.confirm(self.intent, self.trip)
        #expect(response.code == "failurePreviousRideNeedsFeedback")
        #expect(response.details["rideIdentifier"] == "ride/id-1")
        _ = try await strict.handle("INSendRideFeedbackIntent", ["rating": 5], interaction: "feedback")
        #expect(try await strict.confirm(self.intent, self.trip).code == "ready")
    }
}
