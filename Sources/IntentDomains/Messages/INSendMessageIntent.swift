public import IntentKit

/// A request to send a message.
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
    public var recipients: [INPerson]?
    /// What kind of message it is.
    public var outgoingMessageType: INOutgoingMessageType?
    /// The text.
    public var content: String?
    /// The group that the message is for.
    public var speakableGroupName: INSpeakableString?
    /// The app's identifier of the conversation that the message belongs to.
    public var conversationIdentifier: String?
    /// The service that is to carry the message.
    public var serviceName: String?
    /// Who sends it.
    public var sender: INPerson?
    /// The files that go with it.
    public var attachments: [INSendMessageAttachment]?

    /// A request without any value.
    public init() {}

    /// The parameters in SiriKit's order.
    ///
    /// Whether recipients are needed depends on the group, and whether text is on a recording: another group, another
    /// recording has them resolved again.
    public static let parameters: [IntentParameter<Self>] = [
        .init("recipients", \.recipients, dependsOn: ["speakableGroupName"]),
        .init("outgoingMessageType", \.outgoingMessageType, dependsOn: ["attachments"]),
        .init("content", \.content, dependsOn: ["attachments"]),
        .init("speakableGroupName", \.speakableGroupName),
        .init("conversationIdentifier", \.conversationIdentifier),
        .init("serviceName", \.serviceName),
        .init("sender", \.sender),
        .init("attachments", \.attachments),
    ]
}
