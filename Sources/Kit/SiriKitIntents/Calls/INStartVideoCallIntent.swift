public import IntentKit

/// A request for a video call; replaced by ``INStartCallIntent``.
public struct INStartVideoCallIntent: Intent {
    /// The title for people.
    public static let title: LocalizedText? = ["en": "Start a video call", "de": "Videoanruf starten"]

    /// The codes that a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The call can be made.
        case ready
        /// The app makes the call.
        case continueInApp
        /// The call cannot be made.
        case failure
        /// The call cannot be made; the user has to continue in the app.
        case failureRequiringAppLaunch
        /// The user has to set the app up first.
        case failureAppConfigurationRequired
        /// The calling service is not available.
        case failureCallingServiceNotAvailable
        /// The app cannot call the person.
        case failureContactNotSupportedByApp
        /// The number does not support video calls.
        case failureInvalidNumber
    }

    /// Who is called.
    @Parameter(
        title: ["en": "contacts", "de": "Kontakte"],
        prompt: ["en": "Who do you want to call?", "de": "Wen möchtest du anrufen?"]
    )
    public var contacts: [INPerson]?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INStartVideoCallIntent`` reports.
public typealias INStartVideoCallIntentResponse = IntentResponse<INStartVideoCallIntent>
