public import IntentKit

/// A request for an audio call; replaced by ``INStartCallIntent``.
public struct INStartAudioCallIntent: Intent {
    public static let title: LocalizedText? = ["en": "Start a call", "de": "Anruf starten"]

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
        /// No number of the person is known.
        case failureNoValidNumber
    }

    /// Where the call goes to.
    @Parameter(
        title: ["en": "kind of number", "de": "Art der Nummer"],
        prompt: [
            "en": "Which kind of number do you want to call?",
            "de": "Welche Art von Nummer möchtest du anrufen?",
        ]
    )
    public var destinationType: INCallDestinationType?
    @Parameter(
        title: ["en": "contacts", "de": "Kontakte"],
        prompt: ["en": "Who do you want to call?", "de": "Wen möchtest du anrufen?"],
        dependsOn: [\Self.$destinationType]
    )
    public var contacts: [INPerson]?

    public init() {}
}

public typealias INStartAudioCallIntentResponse = IntentResponse<INStartAudioCallIntent>
