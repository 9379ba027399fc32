public import IntentKit

public struct INRequestRideIntent: Intent {
    public static let title: LocalizedText? = ["en": "Book a ride", "de": "Fahrt buchen"]

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
        case failureRequiringAppLaunchRideScheduledTooFar
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
    @Parameter(
        title: ["en": "kind of ride", "de": "Art der Fahrt"],
        prompt: ["en": "Which kind of ride would you like?", "de": "Welche Art von Fahrt möchtest du?"],
        dependsOn: [\Self.$partySize]
    )
    public var rideOptionName: INSpeakableString?
    @Parameter(
        title: ["en": "number of people", "de": "Personenzahl"],
        prompt: ["en": "How many people are riding?", "de": "Wie viele Personen fahren mit?"]
    )
    public var partySize: Int?
    @Parameter(
        title: ["en": "payment method", "de": "Zahlungsmittel"],
        prompt: ["en": "How do you want to pay?", "de": "Wie möchtest du zahlen?"]
    )
    public var paymentMethod: INPaymentMethod?
    /// The scheduled time, if not at once.
    @Parameter(
        title: ["en": "pickup time", "de": "Abholzeit"],
        prompt: ["en": "When do you want to be picked up?", "de": "Wann möchtest du abgeholt werden?"]
    )
    public var scheduledPickupTime: INDateComponentsRange?

    public init() {}
}

public typealias INRequestRideIntentResponse = IntentResponse<INRequestRideIntent>

extension INRequestRideIntentResponse {
    /// The status of the ride; kept in the response's details under the same name.
    public var rideStatus: INRideStatus? {
        get { self.details["rideStatus"].flatMap(INRideStatus.init(json:)) }
        set { self.details["rideStatus"] = newValue?.json }
    }
}
