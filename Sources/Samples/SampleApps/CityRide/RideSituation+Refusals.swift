import Foundation
import IntentKit
import SiriKitIntents

/// The codes that several ride intents have under the same names.
protocol RideResponseCode: IntentResponseCode {
    static var failureRequiringAppLaunch: Self { get }
    static var failureRequiringAppLaunchMustVerifyCredentials: Self { get }
    static var failureRequiringAppLaunchServiceTemporarilyUnavailable: Self { get }
}

/// The codes of intents that look for a new ride.
protocol NewRideResponseCode: RideResponseCode {
    static var failureRequiringAppLaunchNoServiceInArea: Self { get }
    static var failureRequiringAppLaunchPreviousRideNeedsCompletion: Self { get }
}

extension INGetRideStatusIntent.Code: RideResponseCode {}
extension INListRideOptionsIntent.Code: NewRideResponseCode {}
extension INRequestRideIntent.Code: NewRideResponseCode {}

extension RideSituation {
    /// The reason to refuse every request of the user.
    func refusal<Code: RideResponseCode>(as code: Code.Type = Code.self) -> Refusal<Code>? {
        guard self.terms.isAvailable else {
            return Refusal(
                code: .failureRequiringAppLaunchServiceTemporarilyUnavailable,
                error: "serviceUnavailable",
                description: "There are no rides for the moment. Try again later."
            )
        }
        switch self.account {
        case .active: return nil
        case .mustVerifyCredentials:
            return Refusal(
                code: .failureRequiringAppLaunchMustVerifyCredentials,
                error: "mustVerifyCredentials",
                description: "Open the app to verify who you are."
            )
        case .mustAcceptTerms:
            return Refusal(
                code: .failureRequiringAppLaunch,
                error: "mustAcceptTerms",
                description: "Open the app to accept the new terms of use."
            )
        }
    }

    /// The reason why the user can have no new ride from there.
    func refusal<Code: NewRideResponseCode>(ofRideFrom pickup: Placemark, at time: Date) -> Refusal<Code>? {
        if let refusal: Refusal<Code> = self.refusal() { return refusal }
        guard !self.paymentMethods.isEmpty else {
            return Refusal(
                code: .failureRequiringAppLaunch,
                error: "noPaymentMethod",
                description: "Open the app to say what you pay with."
            )
        }
        guard self.serves(pickup) else {
            return Refusal(
                code: .failureRequiringAppLaunchNoServiceInArea,
                error: "noServiceInArea",
                description: "There are no rides from \(pickup.name).",
                details: ["pickupLocation": pickup.json]
            )
        }
        if let ride = self.rideUnderWay(at: time) {
            return Refusal(
                code: .failureRequiringAppLaunchPreviousRideNeedsCompletion,
                error: "previousRideNeedsCompletion",
                description: "The ride to \(ride.dropOff.name) is not over yet.",
                details: ["rideIdentifier": .string(ride.identifier)]
            )
        }
        return nil
    }
}
