import Foundation
import IntentKit
import SiriKitIntents

/// A kind of ride for a trip, with its price and the vehicle that would come.
struct RideOffer: Hashable, Sendable, Codable {
    /// The kind of ride.
    var tariff: RideTariff
    var fare: RideFare
    var vehicle: RideVehicle
    var schedule: Ride.Schedule
    /// The seconds that the vehicle takes to get there, at the service's own pace.
    var approach: Double

    /// The option that the user sees.
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

    /// The time until the vehicle arrives, in whole minutes: `PT4M`.
    var approachText: JSONValue { .string("PT\(max(1, Int((self.approach / 60).rounded(.up))))M") }
}
