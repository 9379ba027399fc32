public import IntentKit

/// A request to mark messages.
public struct INSetMessageAttributeIntent: Intent {
    public static let title: LocalizedText? = ["en": "Mark messages", "de": "Nachrichten markieren"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The messages can be marked.
        case ready
        case inProgress
        case success
        case failure
        /// The messages were not marked; the user has to continue in the app.
        case failureRequiringAppLaunch
        /// One of the messages does not exist.
        case failureMessageNotFound
        /// One of the messages cannot have that attribute.
        case failureMessageAttributeNotSet
    }

    /// The app's identifiers of the messages.
    @Parameter(
        title: ["en": "messages", "de": "Nachrichten"],
        prompt: ["en": "Which messages do you want to mark?", "de": "Welche Nachrichten möchtest du markieren?"]
    )
    public var identifiers: [String]?
    /// What they are to be marked as.
    @Parameter(
        title: ["en": "mark", "de": "Markierung"],
        prompt: ["en": "How do you want to mark them?", "de": "Wie möchtest du sie markieren?"]
    )
    public var attribute: INMessageAttribute?

    public init() {}
}

public typealias INSetMessageAttributeIntentResponse = IntentResponse<INSetMessageAttributeIntent>
