package import IntentKit

/// An event on one of the topics: CloudEvents attributes and data (contract, section 2).
package struct Event: Hashable, Sendable {
    /// `ce_id`.
    package var id: String
    /// `ce_source`.
    package var source: String
    /// `ce_type`; any text, as a client wrote it.
    package var type: String { didSet { self.knownType = EventType(text: self.type) } }
    /// The type, if it is one of intentd's.
    package private(set) var knownType: EventType?
    /// `ce_time`.
    package var time: Timestamp
    /// `ce_subject`: the interaction's id.
    package var subject: InteractionID?
    /// `ce_userid`, or `data.user.id`.
    package var userID: UserID
    /// `ce_causationid`: the id of the event that this one answers.
    package var causationID: String?
    /// `ce_stage`: the stage that a signal is addressed to.
    package var stage: Stage?
    /// `ce_request`: the position of the interaction's request, `partition:offset` (R8).
    package var request: RequestID?
    /// Attributes that are passed through: `traceparent`, `tracestate`, `ce_clientid`, `ce_intentdscript`,
    /// `ce_redriveof`, `ce_followsfrom`.
    package var passedThrough: [String: String]
    /// The data, in place.
    package private(set) var fields: EventData

    package init(
        id: String,
        source: String,
        type: EventType,
        time: Timestamp,
        subject: InteractionID? = nil,
        userID: UserID,
        causationID: String? = nil,
        stage: Stage? = nil,
        request: RequestID? = nil,
        passedThrough: [String: String] = [:],
        data: JSONValue
    ) {
        self.init(
            id: id,
            source: source,
            rawType: type.rawValue,
            time: time,
            subject: subject,
            userID: userID,
            causationID: causationID,
            stage: stage,
            request: request,
            passedThrough: passedThrough,
            fields: EventData(data)
        )
    }

    /// Makes an event of any type, known or unknown.
    init(
        id: String,
        source: String,
        rawType: String,
        time: Timestamp,
        subject: InteractionID?,
        userID: UserID,
        causationID: String?,
        stage: Stage?,
        request: RequestID?,
        passedThrough: [String: String],
        fields: EventData
    ) {
        self.id = id
        self.source = source
        self.knownType = EventType(text: rawType)
        self.type = self.knownType?.rawValue ?? rawType
        self.time = time
        self.subject = subject
        self.userID = userID
        self.causationID = causationID
        self.stage = stage
        self.request = request
        self.passedThrough = passedThrough
        self.fields = fields
    }

    /// The data as a tree, for code that reads most of it.
    package var data: JSONValue {
        get { self.fields.value }
        set { self.fields = EventData(newValue) }
    }

    /// The member of the data of that name, in ASCII, without building the rest.
    package subscript(_ name: StaticString) -> JSONValue? { self.fields[name] }
}

/// The names of the headers that events have in binary mode.
package enum EventHeaderName {
    /// CloudEvents' version; always `1.0`.
    package static let specVersion = "ce_specversion"
    package static let id = "ce_id"
    package static let source = "ce_source"
    package static let type = "ce_type"
    package static let time = "ce_time"
    /// The interaction's id.
    package static let subject = "ce_subject"
    package static let userID = "ce_userid"
    /// The id of the event that this one answers.
    package static let causationID = "ce_causationid"
    /// The stage that a signal is addressed to.
    package static let stage = "ce_stage"
    /// The position of the interaction's request.
    package static let request = "ce_request"
    /// The type of the value's bytes.
    package static let contentType = "content-type"
    /// The answer that a scenario wants from the service.
    package static let script = "ce_intentdscript"
    /// The position of the failed request, in a request that `dead-letters redrive` sends again (R48).
    package static let redriveOf = "ce_redriveof"
    /// An identifier of the client.
    package static let clientID = "ce_clientid"
    /// What a request that a handler has started follows from (R77).
    package static let followsFrom = "ce_followsfrom"
    /// Attributes that are passed from the request to everything that follows from it, by their names in binary and in
    /// structured mode.
    static let carried: [(name: String, header: StaticString, attribute: StaticString)] = [
        ("traceparent", "traceparent", "traceparent"), ("tracestate", "tracestate", "tracestate"),
        (Self.clientID, "ce_clientid", "clientid"), (Self.script, "ce_intentdscript", "intentdscript"),
        (Self.redriveOf, "ce_redriveof", "redriveof"), (Self.followsFrom, "ce_followsfrom", "followsfrom"),
    ]
    /// The headers of ``carried``.
    package static let passedThrough = Set(Self.carried.map { $0.name })

    /// The header in binary mode of an attribute in structured mode.
    package static func header(ofAttribute name: String) -> String {
        if name == "datacontenttype" { return Self.contentType }
        return Self.carried.first { "\($0.attribute)" == name }?.name ?? "ce_\(name)"
    }

    /// The names in bytes, for comparing headers in place.
    package enum Written {
        /// ``EventHeaderName/specVersion``; so are the others.
        package static var specVersion: StaticString { "ce_specversion" }
        package static var id: StaticString { "ce_id" }
        package static var source: StaticString { "ce_source" }
        package static var type: StaticString { "ce_type" }
        package static var time: StaticString { "ce_time" }
        package static var subject: StaticString { "ce_subject" }
        package static var userID: StaticString { "ce_userid" }
        /// The id of the event that this one answers.
        package static var causationID: StaticString { "ce_causationid" }
        /// The stage that a signal is addressed to.
        package static var stage: StaticString { "ce_stage" }
        package static var request: StaticString { "ce_request" }
        package static var contentType: StaticString { "content-type" }
        /// The content type of events in binary mode.
        package static var json: StaticString { "application/json" }
    }
}
