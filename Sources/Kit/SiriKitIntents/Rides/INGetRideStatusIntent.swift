public import IntentKit

public struct INGetRideStatusIntent: Intent {
    public static let title: LocalizedText? = ["en": "See where a ride is", "de": "Nach einer Fahrt sehen"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The intent can be handled.
        case ready
        /// It takes longer.
        case inProgress
        case success
        case failure
        /// It was not done; the user has to do something in the app first.
        case failureRequiringAppLaunch
        /// The user has to verify who they are in the app.
        case failureRequiringAppLaunchMustVerifyCredentials
        case failureRequiringAppLaunchServiceTemporarilyUnavailable
    }

    public init() {}
}

public typealias INGetRideStatusIntentResponse = IntentResponse<INGetRideStatusIntent>

extension INGetRideStatusIntentResponse {
    /// The status of the ride; kept in the response's details under the same name.
    public var rideStatus: INRideStatus? {
        get { self.details["rideStatus"].flatMap(INRideStatus.init(json:)) }
        set { self.details["rideStatus"] = newValue?.json }
    }
}
