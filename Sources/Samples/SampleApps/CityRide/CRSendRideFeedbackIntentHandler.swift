import Foundation
public import IntentKit
public import SiriKitIntents

/// Accepts stars and tips for rides with CityRide.
public struct CRSendRideFeedbackIntentHandler: INSendRideFeedbackIntentHandling {
    public init() {}

    /// Checks that the ride is over, and the feedback; a tip moves money, so the user is asked (behaviour 45).
    public func confirm(
        intent: INSendRideFeedbackIntent,
        context: TurnContext
    ) async throws -> INSendRideFeedbackIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        switch try await self.feedback(of: intent, context) {
        case .success(let feedback):
            return INSendRideFeedbackIntentResponse(
                code: .ready,
                details: feedback.details,
                requiresUserConfirmation: feedback.tip != nil
            )
        case .failure(let refusal): return INSendRideFeedbackIntentResponse(refusal)
        }
    }

    /// Stores the feedback.
    public func handle(
        intent: INSendRideFeedbackIntent,
        context: TurnContext
    ) async throws -> INSendRideFeedbackIntentResponse {
        let feedback: Feedback
        switch try await self.feedback(of: intent, context) {
        case .success(let possible): feedback = possible
        case .failure(let refusal): return INSendRideFeedbackIntentResponse(refusal)
        }
        let book = RideBook(of: context.user.id)
        let now = context.now
        let ride = try await context.effect("sendRideFeedback") { store in
            let identifier = feedback.ride.identifier
            try book.rate(identifier, rating: feedback.rating, tip: feedback.tip, at: now, in: store)
            return try book.ride(identifier, in: store) ?? feedback.ride
        }
        var details = feedback.details
        details["rideStatus"] = ride.status(at: now).json
        return INSendRideFeedbackIntentResponse(code: .success, details: details)
    }

    private struct Feedback: Sendable {
        var ride: Ride
        var rating: Int?
        var tip: Int?

        var details: JSONObject {
            var details: JSONObject = ["rideIdentifier": .string(self.ride.identifier)]
            details["rating"] = self.rating?.json
            details["tip"] = self.tip.flatMap { tip in
                INCurrencyAmount(amount: RideFare.text(tip), currencyCode: self.ride.currencyCode)?.json
            }
            details["driver"] = self.ride.vehicle.driver.json
            return details
        }
    }

    private func feedback(
        of intent: INSendRideFeedbackIntent,
        _ context: TurnContext
    ) async throws -> Result<Feedback, Refusal<INSendRideFeedbackIntent.Code>> {
        func refusal(_ error: String, _ words: String) -> Result<Feedback, Refusal<INSendRideFeedbackIntent.Code>> {
            .failure(Refusal(code: .failure, error: error, description: words))
        }
        let named = intent.rideIdentifier.flatMap { $0.isMissing ? nil : $0 }
        let situation = try await context.rideSituation(naming: named)
        let ride =
            named.map { named in situation.rides.first { $0.identifier == named } }
            ?? situation.lastCompletedRide(at: context.now)
        guard let ride else { return refusal("noRide", "There is no such ride.") }
        guard ride.isCompleted(at: context.now) else { return refusal("notCompleted", "The ride was not taken yet.") }
        guard !ride.hasFeedback else { return refusal("alreadyGiven", "You have said how the ride was.") }
        guard intent.rating != nil || intent.tip != nil else { return refusal("incomplete", "Stars, a tip, or both.") }
        if let rating = intent.rating, !(1...5).contains(rating) {
            return refusal("invalidRating", "A ride gets from 1 to 5 stars.")
        }
        var tip: Int?
        if let amount = intent.tip {
            guard amount.currencyCode == ride.currencyCode, let cents = RideFare.hundredths(amount.amount), cents > 0,
                cents <= ride.fare.total
            else { return refusal("invalidTip", "A tip is in \(ride.currencyCode), and no more than the ride itself.") }
            tip = cents
        }
        return .success(Feedback(ride: ride, rating: intent.rating, tip: tip))
    }
}
