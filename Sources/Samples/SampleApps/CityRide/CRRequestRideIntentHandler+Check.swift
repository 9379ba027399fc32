import Foundation
import IntentKit
import SiriKitIntents

extension CRRequestRideIntentHandler {
    /// A ride that can be requested.
    struct Order: Sendable {
        var trip: RideTrip
        var option: String
        var paymentMethod: INPaymentMethod
        var terms: RideTerms
    }

    /// The order that the intent asks for, if it is available.
    func order(
        of intent: INRequestRideIntent,
        _ context: TurnContext
    ) async throws -> Result<Order, Refusal<INRequestRideIntent.Code>> {
        let situation = try await context.rideSituation()
        guard let pickup = intent.pickupLocation, pickup.coordinate != nil, let dropOff = intent.dropOffLocation,
            situation.serves(dropOff), let name = intent.rideOptionName,
            intent.scheduledPickupTime == nil || intent.scheduledPickupTime?.pickupDate != nil
        else { return .failure(.incompleteTrip) }
        if let refusal: Refusal<INRequestRideIntent.Code> = situation.refusal(ofRideFrom: pickup, at: context.now) {
            return .failure(refusal)
        }
        let date = intent.scheduledPickupTime?.pickupDate
        if let date, date.timeIntervalSince(context.now) > situation.terms.longestNotice {
            let days = Int(situation.terms.longestNotice / 86_400)
            return .failure(
                Refusal(
                    code: .failureRequiringAppLaunchRideScheduledTooFar,
                    error: "scheduledTooFar",
                    description: "Rides can be scheduled up to \(days) days ahead."
                )
            )
        }
        guard let paymentMethod = situation.paymentMethod(like: intent.paymentMethod) else {
            return .failure(
                Refusal(
                    code: .failure,
                    error: "unknownPaymentMethod",
                    description: "There is nothing of the kind to pay with.",
                    details: ["paymentMethods": situation.paymentMethods.json]
                )
            )
        }
        let tariffs = try await context.read("tariffs") { try CityRide.tariffs(in: $0) }
        let partySize = intent.partySize ?? 1
        guard let tariff = tariffs.first(where: { $0.isCalled(name) }), (1...tariff.seats).contains(partySize) else {
            return .failure(
                Refusal(
                    code: .failure,
                    error: "unknownOption",
                    description: "There is no ride called \(name.spokenPhrase) for \(partySize)."
                )
            )
        }
        let trip = RideTrip(pickup: pickup, dropOff: dropOff, partySize: partySize, pickupDate: date)
        return .success(
            Order(trip: trip, option: tariff.identifier, paymentMethod: paymentMethod, terms: situation.terms)
        )
    }

    /// There is no free vehicle of that kind.
    static var noVehicle: Refusal<INRequestRideIntent.Code> {
        Refusal(
            code: .failureRequiringAppLaunchServiceTemporarilyUnavailable,
            error: "noVehicle",
            description: "No vehicle is free. Try again later."
        )
    }
}

extension RideSituation {
    /// The user's payment method: the requested one, if it is on file; otherwise that of the last ride (behaviour 36),
    /// otherwise the first.
    func paymentMethod(like wanted: INPaymentMethod?) -> INPaymentMethod? {
        guard let wanted else {
            return self.rides.lazy.map(\.paymentMethod).first { self.paymentMethods.contains($0) }
                ?? self.paymentMethods.first
        }
        return self.paymentMethods.first { method in
            func agrees(_ wanted: String?, _ known: String?) -> Bool {
                wanted.map { $0.isMissing || $0.matchingKey == known?.matchingKey } ?? true
            }
            return (wanted.type == .unknown || wanted.type == method.type) && agrees(wanted.name, method.name)
                && agrees(wanted.identificationHint, method.identificationHint)
        }
    }
}

extension INDateComponentsRange {
    /// The pickup time: the beginning, or the end where there is none; nil for a day without a time.
    var pickupDate: Date? { (self.start ?? self.end).flatMap(OffsetDateTime.init)?.date }
}
