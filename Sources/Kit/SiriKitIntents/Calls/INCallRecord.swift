public import IntentKit

/// A past call, or one in progress.
public struct INCallRecord: ParameterValue, Codable {
    /// The app's identifier of it.
    public var identifier: String
    /// When it began.
    public var dateCreated: OffsetDateTime?
    public var participants: [INPerson]?
    /// Its outcome.
    public var callRecordType: INCallRecordType?
    /// What kind of call it was.
    public var callCapability: INCallCapability?
    /// Its duration in seconds.
    public var callDuration: Double?
    /// Whether the user has not seen it yet.
    public var unseen: Bool?

    public init(
        identifier: String,
        dateCreated: OffsetDateTime? = nil,
        participants: [INPerson]? = nil,
        callRecordType: INCallRecordType? = nil,
        callCapability: INCallCapability? = nil,
        callDuration: Double? = nil,
        unseen: Bool? = nil
    ) {
        self.identifier = identifier
        self.dateCreated = dateCreated
        self.participants = participants
        self.callRecordType = callRecordType
        self.callCapability = callCapability
        self.callDuration = callDuration
        self.unseen = unseen
    }

    public static let typeName = "callRecord"

    /// Reads an object; `nil` without `identifier`.
    public init?(json: JSONValue) {
        guard let identifier = json["identifier"]?.string else { return nil }
        self.init(
            identifier: identifier,
            dateCreated: json["dateCreated"].flatMap(OffsetDateTime.init(json:)),
            participants: json["participants"].flatMap([INPerson].init(json:)),
            callRecordType: json["callRecordType"].flatMap(INCallRecordType.init(json:)),
            callCapability: json["callCapability"].flatMap(INCallCapability.init(json:)),
            callDuration: json["callDuration"]?.number,
            unseen: json["unseen"]?.bool
        )
    }

    /// An object with what is known; `name` says whom it was with, for a choice.
    public var json: JSONValue {
        let names = (self.participants ?? []).map(\.searchName).filter { !$0.isEmpty }
        return .members([
            "identifier": .string(self.identifier),
            "name": names.isEmpty ? nil : .string(names.joined(separator: ", ")),
            "dateCreated": self.dateCreated?.json,
            "participants": self.participants?.json,
            "callRecordType": self.callRecordType?.json,
            "callCapability": self.callCapability?.json,
            "callDuration": self.callDuration?.json,
            "unseen": self.unseen?.json,
        ])
    }
}
