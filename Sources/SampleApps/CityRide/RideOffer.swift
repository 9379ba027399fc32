import Foundation
import IntentKit
import SiriKitIntents

/// A kind of ride for a trip, with its price and the vehicle that would come.
struct RideOffer: Hashable, Sendable, Codable {
    /// The kind of ride.
    var tariff: RideTariff
    /// What it costs.
    var fare: RideFare
    /// The vehicle.
    var vehicle: RideVehicle
    /// How it would go on.
    var schedule: Ride.Schedule
    /// The seconds that the vehicle takes to get there, as the vehicle's own clock has it.
    var approach: Double

    /// What the user sees of it.
    func option(_ currencyCode: String, isDated: Bool) -> INRideOption {
        INRideOption(
            name: self.tariff.name,
            estimatedPickupDate: isDated ? OffsetDateTime(self.schedule.pickup) : nil,
            priceRange: self.fare.priceRange(currencyCode),
            usesMeteredFare: false,
            disclaimerMessage: self.tariff.disclaimer,
            availablePartySizeOptions: [
                INRidePartySizeOption(
                    minimumPartySize: 1,
                    maximumPartySize: self.tariff.seats,
                    sizeDescription: "Up to \(self.tariff.seats) people",
                    priceRange: self.fare.priceRange(currencyCode)
                )
            ],
            specialPricing: self.fare.specialPricing,
            fareLineItems: self.fare.lineItems(currencyCode)
        )
    }

    /// How long it takes until the vehicle is there, in whole minutes: `PT4M`.
    var approachText: JSONValue { .string("PT\(max(1, Int((self.approach / 60).rounded(.up))))M") }
}
