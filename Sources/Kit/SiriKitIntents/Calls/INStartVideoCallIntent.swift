public import IntentKit

/// A request for a video call; replaced by ``INStartCallIntent``.
public struct INStartVideoCallIntent: Intent {
    public static let title: LocalizedText? = ["en": "Start a video call", "de": "Videoanruf starten"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The call can be made.
        case ready
        /// The app makes the call.
        case continueInApp
        case failure
        /// The call cannot be made; the user has to continue in the app.
        case failureRequiringAppLaunch
        /// The user has to set the app up first.
        case failureAppConfigurationRequired
        case failureCallingServiceNotAvailable
        /// The app cannot call the person.
        case failureContactNotSupportedByApp
        /// The number does not support video calls.
        case failureInvalidNumber
    }

    @Parameter(
        title: ["en": "contacts", "de": "Kontakte"],
        prompt: ["en": "Who do you want to call?", "de": "Wen möchtest du anrufen?"]
    )
    public var contacts: [INPerson]?

    public init() {}
}

public typealias INStartVideoCallIntentResponse = IntentResponse<INStartVideoCallIntent>
