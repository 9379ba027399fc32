import Foundation
import IntentKit
import SiriKitIntents

/// A requested ride.
struct Ride: Hashable, Sendable, Codable {
    /// The times of its phases, as planned at the request.
    struct Schedule: Hashable, Sendable, Codable {
        /// A driver accepts it.
        var confirmed: Date
        /// The vehicle sets out for the user.
        var approaching: Date
        /// The vehicle arrives at the pickup location.
        var pickup: Date
        /// The vehicle leaves with the user.
        var departure: Date
        /// They arrive at the destination.
        var arrival: Date
    }

    /// The service's identifier of it.
    var identifier: String
    /// The interaction in which it was requested.
    var interaction: String
    /// The kind of ride.
    var option: String
    /// The name of that kind.
    var optionName: String
    var pickup: Placemark
    var dropOff: Placemark
    var partySize: Int
    var paymentMethod: INPaymentMethod
    var fare: RideFare
    /// The fare's currency.
    var currencyCode: String
    var vehicle: RideVehicle
    var requestedAt: Date
    /// The requested pickup time, if not at once.
    var scheduledFor: INDateComponentsRange?
    var schedule: Schedule
    /// The time of cancellation.
    var canceledAt: Date?
    var cancellationFee: Int?
    /// The user's rating in stars.
    var rating: Int?
    /// The driver's tip.
    var tip: Int?

    /// Its phase at a time, which depends only on its stored times and that time.
    func phase(at time: Date) -> INRidePhase {
        if self.canceledAt != nil { return .completed }
        if time < self.schedule.confirmed { return .received }
        if time < self.schedule.approaching { return .confirmed }
        if time < self.schedule.pickup { return .approachingPickup }
        if time < self.schedule.departure { return .pickup }
        return time < self.schedule.arrival ? .ongoing : .completed
    }

    /// Whether it prevents another ride: requested for now, or in progress already.
    func isUnderWay(at time: Date) -> Bool {
        self.phase(at: time) != .completed && (self.scheduledFor == nil || time >= self.schedule.approaching)
    }

    /// Whether the user was taken to the destination.
    func isCompleted(at time: Date) -> Bool { self.canceledAt == nil && self.phase(at: time) == .completed }

    /// Whether the user has given feedback on it.
    var hasFeedback: Bool { self.rating != nil || self.tip != nil }
}
