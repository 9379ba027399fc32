public import IntentKit

/// A request to send a message.
///
/// Whether recipients are needed depends on the group, and whether text is on a recording: another group, another
/// recording has them resolved again.
public struct INSendMessageIntent: Intent {
    /// The codes with which a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The message can be sent.
        case ready
        /// The message is being sent.
        case inProgress
        /// The message was sent.
        case success
        /// The message was not sent.
        case failure
        /// The message was not sent; the user has to go on in the app.
        case failureRequiringAppLaunch
        /// The messaging service is not available.
        case failureMessageServiceNotAvailable
        /// The message was not sent; the user has to sign in inside the app.
        case failureRequiringInAppAuthentication
    }

    /// The people whom the message is for.
    @Parameter(dependsOn: [\Self.$speakableGroupName]) public var recipients: [INPerson]?
    /// What kind of message it is.
    @Parameter(dependsOn: [\Self.$attachments]) public var outgoingMessageType: INOutgoingMessageType?
    /// The text.
    @Parameter(dependsOn: [\Self.$attachments]) public var content: String?
    /// The group that the message is for.
    @Parameter public var speakableGroupName: INSpeakableString?
    /// The app's identifier of the conversation that the message belongs to.
    @Parameter public var conversationIdentifier: String?
    /// The service that is to carry the message.
    @Parameter public var serviceName: String?
    /// Who sends it.
    @Parameter public var sender: INPerson?
    /// The files that go with it.
    @Parameter public var attachments: [INSendMessageAttachment]?

    /// A request without any value.
    public init() {}
}
