public import IntentKit

/// A request to give feedback about a completed ride.
public struct INSendRideFeedbackIntent: Intent {
    public static let title: LocalizedText? = ["en": "Rate a ride", "de": "Fahrt bewerten"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The intent can be handled.
        case ready
        case success
        case failure
    }

    /// The service's identifier of the ride; without one, the ride that it can be about.
    @Parameter(
        title: ["en": "ride", "de": "Fahrt"],
        prompt: ["en": "Which ride do you want to rate?", "de": "Welche Fahrt möchtest du bewerten?"]
    )
    public var rideIdentifier: String?
    /// Stars, from 1 to 5.
    @Parameter(
        title: ["en": "rating", "de": "Bewertung"],
        prompt: ["en": "How many stars do you give?", "de": "Wie viele Sterne gibst du?"]
    )
    public var rating: Int?
    @Parameter(
        title: ["en": "tip", "de": "Trinkgeld"],
        prompt: ["en": "How much do you want to tip?", "de": "Wie viel Trinkgeld möchtest du geben?"]
    )
    public var tip: INCurrencyAmount?

    public init() {}
}

public typealias INSendRideFeedbackIntentResponse = IntentResponse<INSendRideFeedbackIntent>
