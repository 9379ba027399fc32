public import IntentKit

/// A message as it was sent.
public struct INMessage: ParameterValue, Codable {
    /// The app's identifier of the message.
    public var identifier: String
    /// The app's identifier of the conversation that it belongs to.
    public var conversationIdentifier: String?
    public var content: String?
    public var dateSent: OffsetDateTime?
    public var sender: INPerson?
    public var recipients: [INPerson]?
    /// The group that it was sent to.
    public var groupName: INSpeakableString?
    /// The service that carried it.
    public var serviceName: String?
    public var messageType: INMessageType?
    public var attachments: [INSendMessageAttachment]?

    public init(
        identifier: String,
        conversationIdentifier: String? = nil,
        content: String? = nil,
        dateSent: OffsetDateTime? = nil,
        sender: INPerson? = nil,
        recipients: [INPerson]? = nil,
        groupName: INSpeakableString? = nil,
        serviceName: String? = nil,
        messageType: INMessageType? = nil,
        attachments: [INSendMessageAttachment]? = nil
    ) {
        self.identifier = identifier
        self.conversationIdentifier = conversationIdentifier
        self.content = content
        self.dateSent = dateSent
        self.sender = sender
        self.recipients = recipients
        self.groupName = groupName
        self.serviceName = serviceName
        self.messageType = messageType
        self.attachments = attachments
    }

    public static let typeName = "message"

    /// Reads an object; `nil` without `identifier`.
    public init?(json: JSONValue) {
        guard let identifier = json["identifier"]?.string else { return nil }
        self.init(
            identifier: identifier,
            conversationIdentifier: json["conversationIdentifier"]?.string,
            content: json["content"]?.string,
            dateSent: json["dateSent"].flatMap(OffsetDateTime.init(json:)),
            sender: json["sender"].flatMap(INPerson.init(json:)),
            recipients: json["recipients"].flatMap([INPerson].init(json:)),
            groupName: json["groupName"].flatMap(INSpeakableString.init(json:)),
            serviceName: json["serviceName"]?.string,
            messageType: json["messageType"].flatMap(INMessageType.init(json:)),
            attachments: json["attachments"].flatMap([INSendMessageAttachment].init(json:))
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "identifier": .string(self.identifier),
            "conversationIdentifier": self.conversationIdentifier?.json,
            "content": self.content?.json,
            "dateSent": self.dateSent?.json,
            "sender": self.sender?.json,
            "recipients": self.recipients?.json,
            "groupName": self.groupName?.json,
            "serviceName": self.serviceName?.json,
            "messageType": self.messageType?.json,
            "attachments": self.attachments?.json,
        ])
    }
}
