public import IntentKit

/// A request to say how the ride stands.
public struct INGetRideStatusIntent: Intent {
    /// What people call it.
    public static let title: LocalizedText? = ["en": "See where a ride is", "de": "Nach einer Fahrt sehen"]

    /// The codes with which a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The intent can be handled.
        case ready
        /// It takes longer.
        case inProgress
        /// It was done.
        case success
        /// It was not done.
        case failure
        /// It was not done; the user has to do something in the app first.
        case failureRequiringAppLaunch
        /// The user has to verify who they are in the app.
        case failureRequiringAppLaunchMustVerifyCredentials
        /// The service cannot be used for the moment.
        case failureRequiringAppLaunchServiceTemporarilyUnavailable
    }

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INGetRideStatusIntent`` reports.
public typealias INGetRideStatusIntentResponse = IntentResponse<INGetRideStatusIntent>

extension INGetRideStatusIntentResponse {
    /// How the ride stands; kept in the response's details under the same name.
    public var rideStatus: INRideStatus? {
        get { self.details["rideStatus"].flatMap(INRideStatus.init(json:)) }
        set { self.details["rideStatus"] = newValue?.json }
    }
}
