public import IntentKit

/// A request to say something about a ride that is over.
public struct INSendRideFeedbackIntent: Intent {
    /// The codes with which a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The intent can be handled.
        case ready
        /// It was done.
        case success
        /// It was not done.
        case failure
    }

    /// The service's identifier of the ride; without one, the ride that it can be about.
    @Parameter public var rideIdentifier: String?
    /// Stars, from 1 to 5.
    @Parameter public var rating: Int?
    /// What the driver gets on top.
    @Parameter public var tip: INCurrencyAmount?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INSendRideFeedbackIntent`` reports.
public typealias INSendRideFeedbackIntentResponse = IntentResponse<INSendRideFeedbackIntent>
