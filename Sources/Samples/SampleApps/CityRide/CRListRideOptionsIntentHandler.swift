import Foundation
public import IntentKit
public import SiriKitIntents

/// Shows which rides CityRide has, and what they cost.
public struct CRListRideOptionsIntentHandler: INListRideOptionsIntentHandling {
    public init() {}

    public func resolvePickupLocation(
        for intent: INListRideOptionsIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult {
        try await RidePlaces(context: context).resolvePickup(intent.pickupLocation, dropOff: intent.dropOffLocation)
    }

    public func resolveDropOffLocation(
        for intent: INListRideOptionsIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult {
        try await RidePlaces(context: context).resolveDropOff(intent.dropOffLocation, pickup: intent.pickupLocation)
    }

    /// Checks that rides are available at all.
    public func confirm(
        intent: INListRideOptionsIntent,
        context: TurnContext
    ) async throws -> INListRideOptionsIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await self.trip(of: intent, context) {
        case .success: return INListRideOptionsIntentResponse(code: .ready)
        case .failure(let refusal): return INListRideOptionsIntentResponse(refusal)
        }
    }

    /// Lists the kinds of rides, the cheapest first, with the payment methods and the time for which the prices are
    /// guaranteed.
    public func handle(
        intent: INListRideOptionsIntent,
        context: TurnContext
    ) async throws -> INListRideOptionsIntentResponse {
        let trip: RideTrip
        let situation: RideSituation
        switch try await self.trip(of: intent, context) {
        case .success(let found): (trip, situation) = found
        case .failure(let refusal): return INListRideOptionsIntentResponse(refusal)
        }
        let now = context.now
        let offers = try await context.read("offers") { try CityRide.offers(for: trip, at: now, in: $0) }
        guard !offers.isEmpty else {
            return INListRideOptionsIntentResponse(
                Refusal(code: .failure, error: "noVehicle", description: "No vehicle is free now.")
            )
        }
        let terms = situation.terms
        var response = INListRideOptionsIntentResponse(code: .success)
        response.rideOptions = offers.map { $0.option(terms.currencyCode, isDated: true) }
        response.paymentMethods = situation.paymentMethods
        response.expirationDate = OffsetDateTime(now.addingTimeInterval(terms.priceGuarantee))
        return response
    }

    private func trip(
        of intent: INListRideOptionsIntent,
        _ context: TurnContext
    ) async throws -> Result<(RideTrip, RideSituation), Refusal<INListRideOptionsIntent.Code>> {
        let situation = try await context.rideSituation()
        guard let pickup = intent.pickupLocation, let dropOff = intent.dropOffLocation,
            pickup.coordinate != nil, situation.serves(dropOff)
        else { return .failure(.incompleteTrip) }
        if let refusal: Refusal<INListRideOptionsIntent.Code> = situation.refusal(ofRideFrom: pickup, at: context.now) {
            return .failure(refusal)
        }
        if situation.terms.demandsFeedback, let last = situation.lastCompletedRide(at: context.now), !last.hasFeedback {
            return .failure(
                Refusal(
                    code: .failurePreviousRideNeedsFeedback,
                    error: "previousRideNeedsFeedback",
                    description: "How was the ride to \(last.dropOff.name)?",
                    details: ["rideIdentifier": .string(last.identifier)]
                )
            )
        }
        return .success((RideTrip(pickup: pickup, dropOff: dropOff), situation))
    }
}

extension Refusal where Code: IntentResponseCode {
    /// The intent describes no trip (behaviour 48).
    static var incompleteTrip: Self {
        Self(
            code: .failure,
            error: "incomplete",
            description: "A ride goes from one known place to another inside the area of service."
        )
    }
}
