public import IntentKit

/// A request to find calls of the past.
public struct INSearchCallHistoryIntent: Intent {
    /// The codes with which a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The search can be made.
        case ready
        /// The app shows the calls.
        case continueInApp
        /// The search cannot be made.
        case failure
        /// The search cannot be made; the user has to go on in the app.
        case failureRequiringAppLaunch
        /// The user has to set the app up first.
        case failureAppConfigurationRequired
        /// The search is being made.
        case inProgress
        /// The search was made.
        case success
    }

    /// When the calls began.
    @Parameter public var dateCreated: INDateComponentsRange?
    /// Whom they were with.
    @Parameter public var recipient: INPerson?
    /// What kind they were.
    @Parameter public var callCapabilities: INCallCapabilityOptions?
    /// What became of them.
    @Parameter public var callTypes: INCallRecordTypeOptions?
    /// Whether the user has not seen them yet.
    @Parameter public var unseen: Bool?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INSearchCallHistoryIntent`` reports.
public typealias INSearchCallHistoryIntentResponse = IntentResponse<INSearchCallHistoryIntent>

extension INSearchCallHistoryIntentResponse {
    /// The calls that were found, the latest first; kept in the response's details under the same name.
    public var callRecords: [INCallRecord]? {
        get { self.details["callRecords"].flatMap([INCallRecord].init(json:)) }
        set { self.details["callRecords"] = newValue?.json }
    }
}
