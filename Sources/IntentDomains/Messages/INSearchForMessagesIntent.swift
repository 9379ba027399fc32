public import IntentKit

/// A request to find messages.
public struct INSearchForMessagesIntent: Intent {
    /// The codes with which a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The search can be made.
        case ready
        /// The search is being made.
        case inProgress
        /// The search was made.
        case success
        /// The search was not made.
        case failure
        /// The search was not made; the user has to go on in the app.
        case failureRequiringAppLaunch
        /// The messaging service is not available.
        case failureMessageServiceNotAvailable
        /// More messages were found than can be shown.
        case failureMessageTooManyResults
        /// The search was not made; the user has to sign in inside the app.
        case failureRequiringInAppAuthentication
    }

    /// The people whom the messages were for.
    @Parameter public var recipients: [INPerson]?
    /// How the recipients belong together.
    @Parameter public var recipientsOperator: INConditionalOperator?
    /// The people whom the messages are from.
    @Parameter public var senders: [INPerson]?
    /// How the senders belong together.
    @Parameter public var sendersOperator: INConditionalOperator?
    /// What the messages say.
    @Parameter public var searchTerms: [String]?
    /// How the terms belong together.
    @Parameter public var searchTermsOperator: INConditionalOperator?
    /// What the messages are marked as.
    @Parameter public var attributes: INMessageAttributeOptions?
    /// When the messages were sent.
    @Parameter public var dateTimeRange: INDateComponentsRange?
    /// The app's identifiers of the messages.
    @Parameter public var identifiers: [String]?
    /// How the identifiers belong together.
    @Parameter public var identifiersOperator: INConditionalOperator?
    /// The identifiers of the notifications that announced the messages.
    @Parameter public var notificationIdentifiers: [String]?
    /// How the notifications belong together.
    @Parameter public var notificationIdentifiersOperator: INConditionalOperator?
    /// The groups that the messages were for.
    @Parameter public var speakableGroupNames: [INSpeakableString]?
    /// How the groups belong together.
    @Parameter public var speakableGroupNamesOperator: INConditionalOperator?
    /// The app's identifiers of the conversations that the messages belong to.
    @Parameter public var conversationIdentifiers: [String]?
    /// How the conversations belong together.
    @Parameter public var conversationIdentifiersOperator: INConditionalOperator?

    /// A request without any value.
    public init() {}
}
