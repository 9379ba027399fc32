public import IntentKit

/// A request to send a message.
///
/// Whether recipients are needed depends on the group, and whether text is needed depends on a recording. When the
/// group or the recording changes, they are resolved again.
public struct INSendMessageIntent: Intent {
    public static let title: LocalizedText? = ["en": "Send a message", "de": "Nachricht senden"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The message can be sent.
        case ready
        case inProgress
        case success
        case failure
        /// The message was not sent; the user has to continue in the app.
        case failureRequiringAppLaunch
        case failureMessageServiceNotAvailable
        /// The message was not sent; the user has to sign in inside the app.
        case failureRequiringInAppAuthentication
    }

    /// The people whom the message is for.
    @Parameter(
        title: ["en": "recipients", "de": "Empfänger"],
        prompt: ["en": "Who is it for?", "de": "An wen?"],
        dependsOn: [\Self.$speakableGroupName]
    )
    public var recipients: [INPerson]?
    @Parameter(
        title: ["en": "kind of message", "de": "Art der Nachricht"],
        prompt: [
            "en": "Do you want to send text or a recording?",
            "de": "Möchtest du Text oder eine Aufnahme senden?",
        ],
        dependsOn: [\Self.$attachments]
    )
    public var outgoingMessageType: INOutgoingMessageType?
    @Parameter(
        title: ["en": "message", "de": "Nachricht"],
        prompt: ["en": "What do you want to say?", "de": "Was möchtest du schreiben?"],
        dependsOn: [\Self.$attachments]
    )
    public var content: String?
    /// The group that the message is for.
    @Parameter(
        title: ["en": "group", "de": "Gruppe"],
        prompt: ["en": "Which group is it for?", "de": "An welche Gruppe?"]
    )
    public var speakableGroupName: INSpeakableString?
    /// The app's identifier of the conversation that the message belongs to.
    @Parameter(
        title: ["en": "conversation", "de": "Unterhaltung"],
        prompt: ["en": "Which conversation does it belong to?", "de": "Zu welcher Unterhaltung gehört es?"]
    )
    public var conversationIdentifier: String?
    /// The service to use for the message.
    @Parameter(
        title: ["en": "service", "de": "Dienst"],
        prompt: ["en": "Which service do you want to use?", "de": "Welchen Dienst möchtest du nutzen?"]
    )
    public var serviceName: String?
    @Parameter(
        title: ["en": "sender", "de": "Absender"],
        prompt: ["en": "Who is it from?", "de": "Von wem ist es?"]
    )
    public var sender: INPerson?
    @Parameter(
        title: ["en": "attachments", "de": "Anhänge"],
        prompt: ["en": "What do you want to attach?", "de": "Was möchtest du anhängen?"]
    )
    public var attachments: [INSendMessageAttachment]?

    public init() {}
}
