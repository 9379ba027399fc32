public import IntentKit

public struct INSearchForMessagesIntent: Intent {
    public static let title: LocalizedText? = ["en": "Search messages", "de": "Nachrichten suchen"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The search can be made.
        case ready
        case inProgress
        case success
        case failure
        /// The search was not made; the user has to continue in the app.
        case failureRequiringAppLaunch
        case failureMessageServiceNotAvailable
        /// More messages were found than can be shown.
        case failureMessageTooManyResults
        /// The search was not made; the user has to sign in inside the app.
        case failureRequiringInAppAuthentication
    }

    /// The people whom the messages were for.
    @Parameter(
        title: ["en": "recipients", "de": "Empfänger"],
        prompt: ["en": "Who were the messages for?", "de": "An wen waren die Nachrichten?"]
    )
    public var recipients: [INPerson]?
    /// How the recipients are combined.
    @Parameter(
        title: ["en": "match of recipients", "de": "Verknüpfung der Empfänger"],
        prompt: [
            "en": "Do all of the recipients have to match, or any?",
            "de": "Müssen alle Empfänger passen oder genügt einer?",
        ]
    )
    public var recipientsOperator: INConditionalOperator?
    /// The people whom the messages are from.
    @Parameter(
        title: ["en": "senders", "de": "Absender"],
        prompt: ["en": "Who were the messages from?", "de": "Von wem waren die Nachrichten?"]
    )
    public var senders: [INPerson]?
    /// How the senders are combined.
    @Parameter(
        title: ["en": "match of senders", "de": "Verknüpfung der Absender"],
        prompt: [
            "en": "Do all of the senders have to match, or any?",
            "de": "Müssen alle Absender passen oder genügt einer?",
        ]
    )
    public var sendersOperator: INConditionalOperator?
    @Parameter(
        title: ["en": "search terms", "de": "Suchbegriffe"],
        prompt: ["en": "What do the messages say?", "de": "Was steht in den Nachrichten?"]
    )
    public var searchTerms: [String]?
    /// How the terms are combined.
    @Parameter(
        title: ["en": "match of search terms", "de": "Verknüpfung der Suchbegriffe"],
        prompt: [
            "en": "Do all of the search terms have to match, or any?",
            "de": "Müssen alle Suchbegriffe passen oder genügt einer?",
        ]
    )
    public var searchTermsOperator: INConditionalOperator?
    /// What the messages are marked as.
    @Parameter(
        title: ["en": "marks", "de": "Markierungen"],
        prompt: [
            "en": "Do you want read, unread or flagged messages?",
            "de": "Möchtest du gelesene, ungelesene oder markierte Nachrichten?",
        ]
    )
    public var attributes: INMessageAttributeOptions?
    @Parameter(
        title: ["en": "period", "de": "Zeitraum"],
        prompt: ["en": "When were the messages sent?", "de": "Wann wurden die Nachrichten gesendet?"]
    )
    public var dateTimeRange: INDateComponentsRange?
    /// The app's identifiers of the messages.
    @Parameter(
        title: ["en": "messages", "de": "Nachrichten"],
        prompt: ["en": "Which messages do you mean?", "de": "Welche Nachrichten meinst du?"]
    )
    public var identifiers: [String]?
    /// How the identifiers are combined.
    @Parameter(
        title: ["en": "match of messages", "de": "Verknüpfung der Nachrichten"],
        prompt: [
            "en": "Do all of the messages have to match, or any?",
            "de": "Müssen alle Nachrichten passen oder genügt eine?",
        ]
    )
    public var identifiersOperator: INConditionalOperator?
    /// The identifiers of the notifications that announced the messages.
    @Parameter(
        title: ["en": "notifications", "de": "Mitteilungen"],
        prompt: ["en": "Which notifications do you mean?", "de": "Welche Mitteilungen meinst du?"]
    )
    public var notificationIdentifiers: [String]?
    /// How the notifications are combined.
    @Parameter(
        title: ["en": "match of notifications", "de": "Verknüpfung der Mitteilungen"],
        prompt: [
            "en": "Do all of the notifications have to match, or any?",
            "de": "Müssen alle Mitteilungen passen oder genügt eine?",
        ]
    )
    public var notificationIdentifiersOperator: INConditionalOperator?
    /// The groups that the messages were for.
    @Parameter(
        title: ["en": "groups", "de": "Gruppen"],
        prompt: ["en": "Which groups were the messages for?", "de": "An welche Gruppen waren die Nachrichten?"]
    )
    public var speakableGroupNames: [INSpeakableString]?
    /// How the groups are combined.
    @Parameter(
        title: ["en": "match of groups", "de": "Verknüpfung der Gruppen"],
        prompt: [
            "en": "Do all of the groups have to match, or any?",
            "de": "Müssen alle Gruppen passen oder genügt eine?",
        ]
    )
    public var speakableGroupNamesOperator: INConditionalOperator?
    /// The app's identifiers of the conversations that the messages belong to.
    @Parameter(
        title: ["en": "conversations", "de": "Unterhaltungen"],
        prompt: ["en": "Which conversations do you mean?", "de": "Welche Unterhaltungen meinst du?"]
    )
    public var conversationIdentifiers: [String]?
    /// How the conversations are combined.
    @Parameter(
        title: ["en": "match of conversations", "de": "Verknüpfung der Unterhaltungen"],
        prompt: [
            "en": "Do all of the conversations have to match, or any?",
            "de": "Müssen alle Unterhaltungen passen oder genügt eine?",
        ]
    )
    public var conversationIdentifiersOperator: INConditionalOperator?

    public init() {}
}
