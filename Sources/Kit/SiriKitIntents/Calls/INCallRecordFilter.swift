public import IntentKit

/// Which calls are meant.
public struct INCallRecordFilter: ParameterValue, Codable {
    /// Whom they were with: all of these.
    public var participants: [INPerson]?
    /// Their outcomes: any of these.
    public var callTypes: INCallRecordTypeOptions?
    /// What kind they were.
    public var callCapability: INCallCapability?

    /// Describes calls.
    public init(
        participants: [INPerson]? = nil,
        callTypes: INCallRecordTypeOptions? = nil,
        callCapability: INCallCapability? = nil
    ) {
        self.participants = participants
        self.callTypes = callTypes
        self.callCapability = callCapability
    }

    /// `callRecordFilter`.
    public static let typeName = "callRecordFilter"

    /// Reads an object; every present member must have its type.
    public init?(json: JSONValue) {
        guard json.object != nil else { return nil }
        self.init(
            participants: json["participants"].flatMap([INPerson].init(json:)),
            callTypes: json["callTypes"].flatMap(INCallRecordTypeOptions.init(json:)),
            callCapability: json["callCapability"].flatMap(INCallCapability.init(json:))
        )
        if json["participants"] != nil, self.participants == nil { return nil }
        if json["callTypes"] != nil, self.callTypes == nil { return nil }
        if json["callCapability"] != nil, self.callCapability == nil { return nil }
    }

    /// An object with what is wanted.
    public var json: JSONValue {
        .members([
            "participants": self.participants?.json, "callTypes": self.callTypes?.json,
            "callCapability": self.callCapability?.json,
        ])
    }
}
