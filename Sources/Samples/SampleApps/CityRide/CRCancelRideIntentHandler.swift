import Foundation
public import IntentKit
public import SiriKitIntents

/// Cancels a ride with CityRide.
public struct CRCancelRideIntentHandler: INCancelRideIntentHandling {
    public init() {}

    /// Checks that the ride can be cancelled, and states the fee and the time from which it applies (behaviour 44).
    public func confirm(
        intent: INCancelRideIntent,
        context: TurnContext
    ) async throws -> INCancelRideIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await self.cancellation(for: intent, context) {
        case .success(let cancellation): return cancellation.response(.ready)
        case .failure(let refusal): return INCancelRideIntentResponse(refusal)
        }
    }

    /// Cancels the ride; the fee is that of the current moment.
    public func handle(
        intent: INCancelRideIntent,
        context: TurnContext
    ) async throws -> INCancelRideIntentResponse {
        let cancellation: Cancellation
        switch try await self.cancellation(for: intent, context) {
        case .success(let possible): cancellation = possible
        case .failure(let refusal): return INCancelRideIntentResponse(refusal)
        }
        let book = RideBook(of: context.user.id)
        let now = context.now
        let ride = try await context.effect("cancelRide") { store in
            try book.cancel(cancellation.ride.identifier, fee: cancellation.fee, at: now, in: store)
            return try book.ride(cancellation.ride.identifier, in: store) ?? cancellation.ride
        }
        var response = cancellation.response(.success)
        response.details["rideStatus"] = ride.status(at: now).json
        return response
    }

    /// The result of cancelling a ride.
    private struct Cancellation: Sendable {
        var ride: Ride
        var fee: Int
        var threshold: Date

        func response(_ code: INCancelRideIntent.Code) -> INCancelRideIntentResponse {
            var response = INCancelRideIntentResponse(code: code, requiresUserConfirmation: true)
            if self.fee > 0 {
                response.cancellationFee = INCurrencyAmount(
                    amount: RideFare.text(self.fee),
                    currencyCode: self.ride.currencyCode
                )
            }
            response.cancellationFeeThreshold = OffsetDateTime(self.threshold)
            response.details["rideIdentifier"] = .string(self.ride.identifier)
            response.details["dropOffLocation"] = self.ride.dropOff.json
            return response
        }
    }

    private func cancellation(
        for intent: INCancelRideIntent,
        _ context: TurnContext
    ) async throws -> Result<Cancellation, Refusal<INCancelRideIntent.Code>> {
        let named = intent.rideIdentifier.flatMap { $0.isMissing ? nil : $0 }
        let situation = try await context.rideSituation(naming: named)
        let ride =
            named.map { named in situation.rides.first { $0.identifier == named } }
            ?? situation.nextRide(at: context.now)
        guard let ride else {
            return .failure(Refusal(code: .failure, error: "noRide", description: "There is no such ride."))
        }
        switch ride.phase(at: context.now) {
        case .unknown, .received, .confirmed, .approachingPickup, .pickup: break
        case .ongoing, .completed:
            let words = ride.canceledAt == nil ? "has begun already" : "was cancelled already"
            return .failure(
                Refusal(
                    code: .failure,
                    error: "tooLate",
                    description: "The ride to \(ride.dropOff.name) \(words).",
                    details: ["rideIdentifier": .string(ride.identifier)]
                )
            )
        }
        let terms = situation.terms
        // A scheduled ride can be cancelled free of charge until the vehicle sets out.
        let free = ride.requestedAt.addingTimeInterval(terms.freeCancellation / terms.pace)
        let threshold = ride.scheduledFor == nil ? free : max(free, ride.schedule.approaching)
        let fee = context.now < threshold ? 0 : terms.cancellationFee
        return .success(Cancellation(ride: ride, fee: fee, threshold: threshold))
    }
}
