import Foundation
import IntentKit
import SiriKitIntents

/// Everything that could prevent a user's request, read at once.
struct RideSituation: Hashable, Sendable, Codable {
    var terms: RideTerms
    var account: RideAccountState
    var paymentMethods: [INPaymentMethod]
    /// The areas in which rides begin and end.
    var areas: [ServiceArea]
    /// The user's last rides, the latest request first, and the one that was named.
    var rides: [Ride]

    /// Reads the situation of a user, and a ride that was named, however old it is.
    init(of userID: String, naming identifier: String? = nil, in store: any StoreTransaction) throws {
        self.terms = try CityRide.terms(in: store)
        self.account = try CityRide.accountState(of: userID, in: store)
        self.paymentMethods = try CityRide.paymentMethods(of: userID, in: store)
        self.areas = try CityRide.areas(in: store)
        let book = RideBook(of: userID)
        self.rides = try book.latest(in: store)
        if let identifier, !self.rides.contains(where: { $0.identifier == identifier }) {
            self.rides += try [book.ride(identifier, in: store)].compactMap { $0 }
        }
    }

    /// Whether a place is in an area where rides begin and end.
    func serves(_ place: Placemark) -> Bool { self.areas.contains { $0.contains(place) } }

    /// The ride that the user is in, or waits for.
    func rideUnderWay(at time: Date) -> Ride? { self.rides.first { $0.isUnderWay(at: time) } }

    /// The ride that a request without an identifier is about: the current one, else the next scheduled one.
    func nextRide(at time: Date) -> Ride? {
        self.rideUnderWay(at: time)
            ?? self.rides.filter { $0.phase(at: time) != .completed }
            .min { $0.schedule.pickup < $1.schedule.pickup }
    }

    /// The last ride that the user completed.
    func lastCompletedRide(at time: Date) -> Ride? {
        self.rides.filter { $0.isCompleted(at: time) }.max { $0.schedule.arrival < $1.schedule.arrival }
    }
}

extension TurnContext {
    func rideSituation(naming identifier: String? = nil) async throws -> RideSituation {
        let userID = self.user.id
        return try await self.read("rideSituation") { try RideSituation(of: userID, naming: identifier, in: $0) }
    }
}
