import Foundation
public import IntentKit
public import SiriKitIntents

/// Reports the status of the user's ride with CityRide.
public struct CRGetRideStatusIntentHandler: INGetRideStatusIntentHandling {
    /// The time for which a completed ride is still the one that the user asks about.
    private static let memory = 24 * 3_600.0

    /// The interval of status updates about the ride's position; nil for none.
    public let statusUpdates: StatusUpdates?

    public init(statusUpdates: StatusUpdates? = nil) { self.statusUpdates = statusUpdates }

    /// Checks that there is a ride.
    public func confirm(
        intent: INGetRideStatusIntent,
        context: TurnContext
    ) async throws -> INGetRideStatusIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await self.ride(context) {
        case .success: return INGetRideStatusIntentResponse(code: .ready)
        case .failure(let refusal): return INGetRideStatusIntentResponse(refusal)
        }
    }

    /// Reports the status of the current ride, else of the next one, else of the last.
    public func handle(
        intent: INGetRideStatusIntent,
        context: TurnContext
    ) async throws -> INGetRideStatusIntentResponse {
        switch try await self.ride(context) {
        case .success(let ride):
            var response = INGetRideStatusIntentResponse(code: .success)
            response.rideStatus = ride.status(at: context.now)
            return response
        case .failure(let refusal): return INGetRideStatusIntentResponse(refusal)
        }
    }

    private func ride(_ context: TurnContext) async throws -> Result<Ride, Refusal<INGetRideStatusIntent.Code>> {
        let situation = try await context.rideSituation()
        if let refusal: Refusal<INGetRideStatusIntent.Code> = situation.refusal() { return .failure(refusal) }
        let recent = situation.rides.first { ride in
            context.now.timeIntervalSince(ride.canceledAt ?? ride.schedule.arrival) < Self.memory
        }
        guard let ride = situation.nextRide(at: context.now) ?? recent else {
            return .failure(Refusal(code: .failure, error: "noRide", description: "There is no ride."))
        }
        return .success(ride)
    }
}

extension CRGetRideStatusIntentHandler {
    /// Reports the progress of the ride, until it is over.
    public func statusUpdate(
        for intent: INGetRideStatusIntent,
        context: TurnContext
    ) async throws -> StatusUpdate<INGetRideStatusIntent> {
        let response = try await self.handle(intent: intent, context: context)
        return StatusUpdate(response, isLast: response.rideStatus.map { $0.phase == .completed } ?? true)
    }
}
