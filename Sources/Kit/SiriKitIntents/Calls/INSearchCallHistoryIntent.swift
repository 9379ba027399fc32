public import IntentKit

/// A request to find past calls.
public struct INSearchCallHistoryIntent: Intent {
    public static let title: LocalizedText? = ["en": "Search calls", "de": "Anrufe suchen"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The search can be made.
        case ready
        /// The app shows the calls.
        case continueInApp
        case failure
        /// The search cannot be made; the user has to continue in the app.
        case failureRequiringAppLaunch
        /// The user has to set the app up first.
        case failureAppConfigurationRequired
        case inProgress
        case success
    }

    /// When the calls began.
    @Parameter(
        title: ["en": "period", "de": "Zeitraum"],
        prompt: ["en": "When were the calls?", "de": "Wann waren die Anrufe?"]
    )
    public var dateCreated: INDateComponentsRange?
    /// Whom they were with.
    @Parameter(
        title: ["en": "person", "de": "Person"],
        prompt: ["en": "Who were the calls with?", "de": "Mit wem waren die Anrufe?"]
    )
    public var recipient: INPerson?
    @Parameter(
        title: ["en": "kind of call", "de": "Art des Anrufs"],
        prompt: ["en": "Do you want audio or video calls?", "de": "Möchtest du Audio- oder Videoanrufe?"]
    )
    public var callCapabilities: INCallCapabilityOptions?
    @Parameter(
        title: ["en": "outcome", "de": "Ausgang"],
        prompt: [
            "en": "Do you want missed, received or outgoing calls?",
            "de": "Möchtest du verpasste, angenommene oder ausgehende Anrufe?",
        ]
    )
    public var callTypes: INCallRecordTypeOptions?
    /// Whether the user has not seen them yet.
    @Parameter(
        title: ["en": "new calls", "de": "neue Anrufe"],
        prompt: [
            "en": "Do you want only calls that you have not seen yet?",
            "de": "Möchtest du nur Anrufe, die du noch nicht gesehen hast?",
        ]
    )
    public var unseen: Bool?

    public init() {}
}

public typealias INSearchCallHistoryIntentResponse = IntentResponse<INSearchCallHistoryIntent>

extension INSearchCallHistoryIntentResponse {
    /// The calls that were found, the latest first; kept in the response's details under the same name.
    public var callRecords: [INCallRecord]? {
        get { self.details["callRecords"].flatMap([INCallRecord].init(json:)) }
        set { self.details["callRecords"] = newValue?.json }
    }
}
