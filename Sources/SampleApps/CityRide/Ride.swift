import Foundation
import IntentKit
import SiriKitIntents

/// A ride that was asked for.
struct Ride: Hashable, Sendable, Codable {
    /// The moments at which it goes on, as planned when it was asked for.
    struct Schedule: Hashable, Sendable, Codable {
        /// A driver takes it.
        var confirmed: Date
        /// The vehicle sets out for the user.
        var approaching: Date
        /// It is there.
        var pickup: Date
        /// It leaves with the user.
        var departure: Date
        /// They arrive.
        var arrival: Date
    }

    /// The service's identifier of it.
    var identifier: String
    /// In which interaction it was asked for.
    var interaction: String
    /// What kind of ride it is.
    var option: String
    /// The name of that kind.
    var optionName: String
    /// Where it begins.
    var pickup: Placemark
    /// Where it ends.
    var dropOff: Placemark
    /// How many people ride.
    var partySize: Int
    /// What it is paid with.
    var paymentMethod: INPaymentMethod
    /// What it costs.
    var fare: RideFare
    /// The fare's currency.
    var currencyCode: String
    /// Which vehicle comes.
    var vehicle: RideVehicle
    /// When it was asked for.
    var requestedAt: Date
    /// For when it was asked, if not at once.
    var scheduledFor: INDateComponentsRange?
    /// How it goes on.
    var schedule: Schedule
    /// When it was cancelled.
    var canceledAt: Date?
    /// What that cost.
    var cancellationFee: Int?
    /// Stars that the user gave.
    var rating: Int?
    /// What the driver got on top.
    var tip: Int?

    /// How far it is at a time: nothing but its stored moments and the time decide.
    func phase(at time: Date) -> INRidePhase {
        if self.canceledAt != nil { return .completed }
        if time < self.schedule.confirmed { return .received }
        if time < self.schedule.approaching { return .confirmed }
        if time < self.schedule.pickup { return .approachingPickup }
        if time < self.schedule.departure { return .pickup }
        return time < self.schedule.arrival ? .ongoing : .completed
    }

    /// Whether it stands in the way of another: asked for at once, or on its way already.
    func isUnderWay(at time: Date) -> Bool {
        self.phase(at: time) != .completed && (self.scheduledFor == nil || time >= self.schedule.approaching)
    }

    /// Whether the user was driven.
    func isCompleted(at time: Date) -> Bool { self.canceledAt == nil && self.phase(at: time) == .completed }

    /// Whether the user has said something about it.
    var hasFeedback: Bool { self.rating != nil || self.tip != nil }
}
