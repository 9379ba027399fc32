public import IntentKit

/// A request to call one or more people.
///
/// There is no `success`: the app makes the call, and `continueInApp` is the successful end (R10, R33).
///
/// The call to return and the person to call follow from the destination; whether there is video follows from the
/// person.
public struct INStartCallIntent: Intent {
    public static let title: LocalizedText? = ["en": "Start a call", "de": "Anruf starten"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The call can be made.
        case ready
        /// The app makes the call.
        case continueInApp
        case userConfirmationRequired
        case failure
        /// The call cannot be made; the user has to continue in the app.
        case failureRequiringAppLaunch
        case failureCallingServiceNotAvailable
        /// The app cannot call the person.
        case failureContactNotSupportedByApp
        case failureAirplaneModeEnabled
        /// The call cannot be handed to an app.
        case failureUnableToHandOff
        /// The user has to set the app up first.
        case failureAppConfigurationRequired
        /// Another call is in progress.
        case failureCallInProgress
        /// An incoming call is ringing.
        case failureCallRinging
        /// The user has to sign in inside the app.
        case failureRequiringInAppAuthentication
    }

    /// Which past calls are meant.
    @Parameter(
        title: ["en": "kind of call to return", "de": "Art des Anrufs"],
        prompt: ["en": "What kind of call do you want to return?", "de": "Was für einen Anruf möchtest du erwidern?"]
    )
    public var callRecordFilter: INCallRecordFilter?
    @Parameter(
        title: ["en": "call to return", "de": "Anruf"],
        prompt: ["en": "Which call do you want to return?", "de": "Welchen Anruf möchtest du erwidern?"],
        dependsOn: [\Self.$callRecordFilter, \Self.$destinationType]
    )
    public var callRecordToCallBack: INCallRecord?
    @Parameter(
        title: ["en": "sound", "de": "Ton"],
        prompt: ["en": "Where do you want to hear it?", "de": "Worüber möchtest du es hören?"]
    )
    public var audioRoute: INCallAudioRoute?
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
        dependsOn: [\Self.$callRecordToCallBack, \Self.$destinationType]
    )
    public var contacts: [INPerson]?
    @Parameter(
        title: ["en": "kind of call", "de": "Art des Anrufs"],
        prompt: [
            "en": "Do you want to call with sound or with video?",
            "de": "Möchtest du mit Ton oder mit Video anrufen?",
        ],
        dependsOn: [\Self.$contacts]
    )
    public var callCapability: INCallCapability?

    public init() {}
}

public typealias INStartCallIntentResponse = IntentResponse<INStartCallIntent>
