public import IntentKit

/// Which calls are meant.
public struct INCallRecordFilter: ParameterValue, Codable {
    /// Whom they were with: all of these.
    public var participants: [INPerson]?
    /// Their outcomes: any of these.
    public var callTypes: INCallRecordTypeOptions?
    public var callCapability: INCallCapability?

    public init(
        participants: [INPerson]? = nil,
        callTypes: INCallRecordTypeOptions? = nil,
        callCapability: INCallCapability? = nil
    ) {
        self.participants = participants
        self.callTypes = callTypes
        self.callCapability = callCapability
    }

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

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "participants": self.participants?.json, "callTypes": self.callTypes?.json,
            "callCapability": self.callCapability?.json,
        ])
    }
}
