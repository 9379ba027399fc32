public import IntentKit

/// A request to mark messages.
public struct INSetMessageAttributeIntent: Intent {
    /// The codes with which a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The messages can be marked.
        case ready
        /// The messages are being marked.
        case inProgress
        /// The messages were marked.
        case success
        /// The messages were not marked.
        case failure
        /// The messages were not marked; the user has to go on in the app.
        case failureRequiringAppLaunch
        /// One of the messages is not there.
        case failureMessageNotFound
        /// One of the messages cannot be marked so.
        case failureMessageAttributeNotSet
    }

    /// The app's identifiers of the messages.
    @Parameter public var identifiers: [String]?
    /// What they are to be marked as.
    @Parameter public var attribute: INMessageAttribute?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INSetMessageAttributeIntent`` reports.
public typealias INSetMessageAttributeIntentResponse = IntentResponse<INSetMessageAttributeIntent>
