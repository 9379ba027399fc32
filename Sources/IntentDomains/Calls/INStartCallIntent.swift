public import IntentKit

/// A request to call somebody.
///
/// There is no `success`: the app makes the call, and `continueInApp` is the good end (R10, R33).
///
/// Which call is returned and who is called follow from the destination; whether there is a picture from who is called.
public struct INStartCallIntent: Intent {
    /// The codes with which a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The call can be made.
        case ready
        /// The app makes the call.
        case continueInApp
        /// The user has to say yes first.
        case userConfirmationRequired
        /// The call cannot be made.
        case failure
        /// The call cannot be made; the user has to go on in the app.
        case failureRequiringAppLaunch
        /// The calling service is not available.
        case failureCallingServiceNotAvailable
        /// The app cannot call the person.
        case failureContactNotSupportedByApp
        /// The device is in airplane mode.
        case failureAirplaneModeEnabled
        /// There is no app that the call could be handed to.
        case failureUnableToHandOff
        /// The user has to set the app up first.
        case failureAppConfigurationRequired
        /// There is a call already.
        case failureCallInProgress
        /// Somebody is calling the user.
        case failureCallRinging
        /// The user has to sign in inside the app.
        case failureRequiringInAppAuthentication
    }

    /// Which calls of the past are meant.
    @Parameter public var callRecordFilter: INCallRecordFilter?
    /// The call that is returned.
    @Parameter(dependsOn: [\Self.$callRecordFilter, \Self.$destinationType])
    public var callRecordToCallBack: INCallRecord?
    /// Where the sound comes from.
    @Parameter public var audioRoute: INCallAudioRoute?
    /// Where the call goes to.
    @Parameter public var destinationType: INCallDestinationType?
    /// Who is called.
    @Parameter(dependsOn: [\Self.$callRecordToCallBack, \Self.$destinationType]) public var contacts: [INPerson]?
    /// What kind of call it is.
    @Parameter(dependsOn: [\Self.$contacts]) public var callCapability: INCallCapability?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INStartCallIntent`` reports.
public typealias INStartCallIntentResponse = IntentResponse<INStartCallIntent>
