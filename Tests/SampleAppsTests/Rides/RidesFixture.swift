import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

/// CityRide in Meadowbrook, with a user who has a home and a card.
enum RidesFixture {
    static let station: JSONValue = ["name": "Central Station", "latitude": 50.0, "longitude": 14.4]
    static let opera: JSONValue = ["name": "Opera", "latitude": 49.99, "longitude": 14.42]
    static let home: JSONValue = ["name": "Home", "latitude": 49.985, "longitude": 14.37]
    static let resort: JSONValue = ["name": "Lakeside Resort", "latitude": 50.2, "longitude": 14.6]
    static let economy: JSONValue = ["spokenPhrase": "Economy", "identifier": "economy"]
    static let comfort: JSONValue = ["spokenPhrase": "Comfort", "identifier": "comfort"]
    static let van: JSONValue = ["spokenPhrase": "Van", "identifier": "van"]

    /// A ride from the station to the opera, with all parameters resolved.
    static let trip: JSONObject = [
        "pickupLocation": station, "dropOffLocation": opera, "rideOptionName": economy,
    ]

    static func make() throws -> DomainFixture {
        let rides = RidesExtension.make()
        let fixture = try DomainFixture(rides)
        try fixture.store.write { try rides.addDemoData?("u1", $0) }
        return fixture
    }

    /// A fixture in which the user has requested a ride.
    static func withRide(_ parameters: JSONObject = Self.trip) async throws -> DomainFixture {
        let fixture = try Self.make()
        let response = try await fixture.handle("INRequestRideIntent", parameters, interaction: "ride")
        try #require(response.code == "success", "\(response)")
        return fixture
    }

    /// The times of the only ride.
    static func moment(_ column: String, in fixture: DomainFixture) throws -> Date {
        let row = try #require(try fixture.store.query("SELECT * FROM rides").first)
        return try #require(row[column]?.string.flatMap { OffsetDateTime($0) }).date
    }
}

extension DomainFixture {
    /// The same with other terms of the service.
    func with(_ change: (inout RideTerms) -> Void) throws -> Self {
        var terms = RideTerms()
        change(&terms)
        try self.store.write { try CityRide.setTerms(terms, in: $0) }
        return self
    }
}
