public import IntentKit

/// A request to list the available rides.
public struct INListRideOptionsIntent: Intent {
    public static let title: LocalizedText? = ["en": "See which rides there are", "de": "Fahrten ansehen"]

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
        /// There is no service at the pickup location.
        case failureRequiringAppLaunchNoServiceInArea
        case failureRequiringAppLaunchServiceTemporarilyUnavailable
        /// Another ride of the user is in progress.
        case failureRequiringAppLaunchPreviousRideNeedsCompletion
        /// The user has to give feedback about the previous ride first.
        case failurePreviousRideNeedsFeedback
    }

    @Parameter(
        title: ["en": "pickup", "de": "Abholort"],
        prompt: ["en": "Where do you want to be picked up?", "de": "Wo möchtest du abgeholt werden?"]
    )
    public var pickupLocation: Placemark?
    @Parameter(
        title: ["en": "destination", "de": "Ziel"],
        prompt: ["en": "Where do you want to go?", "de": "Wohin möchtest du?"],
        dependsOn: [\Self.$pickupLocation]
    )
    public var dropOffLocation: Placemark?

    public init() {}
}

public typealias INListRideOptionsIntentResponse = IntentResponse<INListRideOptionsIntent>

extension INListRideOptionsIntentResponse {
    /// The available rides; kept in the response's details under the same name.
    public var rideOptions: [INRideOption]? {
        get { self.details["rideOptions"].flatMap([INRideOption].init(json:)) }
        set { self.details["rideOptions"] = newValue?.json }
    }

    /// What they can be paid with; kept in the response's details under the same name.
    public var paymentMethods: [INPaymentMethod]? {
        get { self.details["paymentMethods"].flatMap([INPaymentMethod].init(json:)) }
        set { self.details["paymentMethods"] = newValue?.json }
    }

    /// Until when the prices are valid; kept in the response's details under the same name.
    public var expirationDate: OffsetDateTime? {
        get { self.details["expirationDate"].flatMap(OffsetDateTime.init(json:)) }
        set { self.details["expirationDate"] = newValue?.json }
    }
}
