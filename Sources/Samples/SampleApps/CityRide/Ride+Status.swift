import Foundation
import IntentKit
import SiriKitIntents

extension Ride {
    func status(at time: Date) -> INRideStatus {
        let phase = self.phase(at: time)
        return INRideStatus(
            rideIdentifier: self.identifier,
            phase: phase,
            completionStatus: phase == .completed ? self.completionStatus : nil,
            vehicle: phase == .received ? nil : self.vehicleStatus(at: time),
            driver: phase == .received ? nil : self.vehicle.driver,
            estimatedPickupDate: OffsetDateTime(self.schedule.pickup),
            estimatedPickupEndDate: OffsetDateTime(self.schedule.departure),
            estimatedDropOffDate: OffsetDateTime(self.schedule.arrival),
            scheduledPickupTime: self.scheduledFor,
            pickupLocation: self.pickup,
            dropOffLocation: self.dropOff,
            rideOption: INRideOption(
                name: self.optionName,
                priceRange: self.fare.priceRange(self.currencyCode),
                usesMeteredFare: false,
                specialPricing: self.fare.specialPricing,
                fareLineItems: self.fare.lineItems(self.currencyCode)
            )
        )
    }

    private var completionStatus: INRideCompletionStatus {
        let isCanceled = self.canceledAt != nil
        let paid = isCanceled ? self.cancellationFee ?? 0 : self.fare.total + (self.tip ?? 0)
        let mayTip = !isCanceled && !self.hasFeedback
        return INRideCompletionStatus(
            isCompleted: !isCanceled,
            isCanceled: isCanceled,
            isOutstanding: mayTip,
            feedbackType: mayTip ? [.rate, .tip] : [],
            paymentAmount: INCurrencyAmount(amount: RideFare.text(paid), currencyCode: self.currencyCode),
            defaultTippingOptions: mayTip ? self.tippingOptions : nil
        )
    }

    /// 10, 15 and 20 percent of the fare, rounded to tens of the smallest coin.
    private var tippingOptions: [INCurrencyAmount] {
        [10, 15, 20]
            .compactMap { percent in
                let tip = (self.fare.total * percent + 500) / 1_000 * 10
                return INCurrencyAmount(amount: RideFare.text(tip), currencyCode: self.currencyCode)
            }
    }

    private func vehicleStatus(at time: Date) -> INRideVehicle {
        let place = self.vehicleLocation(at: time)
        return INRideVehicle(
            location: Placemark(name: "", latitude: place.latitude, longitude: place.longitude),
            registrationPlate: self.vehicle.registrationPlate,
            manufacturer: self.vehicle.manufacturer,
            model: self.vehicle.model
        )
    }

    /// The position of the vehicle: on the straight line to its destination.
    private func vehicleLocation(at time: Date) -> Coordinate {
        let start = self.pickup.coordinate ?? self.vehicle.location
        let end = self.dropOff.coordinate ?? start
        func part(_ from: Date, _ to: Date) -> Double {
            to > from ? min(1, max(0, time.timeIntervalSince(from) / to.timeIntervalSince(from))) : 1
        }
        guard time >= self.schedule.departure else {
            let part = part(self.schedule.approaching, self.schedule.pickup)
            return self.vehicle.location.point(towards: start, part: part)
        }
        return start.point(towards: end, part: part(self.schedule.departure, self.schedule.arrival))
    }
}

extension RideFare {
    /// The reason for a price that is higher or lower than usual; nil when it is not.
    var specialPricing: String? {
        self.percent == 100
            ? nil
            : "\(self.percent > 100 ? "High demand" : "Discount"): \(self.percent) % of the usual price"
    }
}
