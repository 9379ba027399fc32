public import IntentKit

/// A request for the status of a ride.
public struct INGetRideStatusIntent: Intent {
    /// The title for people.
    public static let title: LocalizedText? = ["en": "See where a ride is", "de": "Nach einer Fahrt sehen"]

    /// The codes that a handler reports.
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
        /// The service is temporarily unavailable.
        case failureRequiringAppLaunchServiceTemporarilyUnavailable
    }

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INGetRideStatusIntent`` reports.
public typealias INGetRideStatusIntentResponse = IntentResponse<INGetRideStatusIntent>

extension INGetRideStatusIntentResponse {
    /// The status of the ride; kept in the response's details under the same name.
    public var rideStatus: INRideStatus? {
        get { self.details["rideStatus"].flatMap(INRideStatus.init(json:)) }
        set { self.details["rideStatus"] = newValue?.json }
    }
}
