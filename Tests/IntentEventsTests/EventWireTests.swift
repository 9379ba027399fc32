import IntentEvents
import IntentKit
import Testing

@Suite("An event on the wire")
struct EventWireTests {
    private static let position = RecordPosition(.requests, 2, 9)
    private static let arrival = Timestamp(milliseconds: 1_000)
    private static let whole = Event(
        id: "e1",
        source: "/app",
        type: .promptAnswered,
        time: Timestamp(milliseconds: 1_795_264_200_123),
        subject: "i1",
        userID: "u1",
        causationID: "c1",
        stage: .confirm,
        request: "0:7",
        passedThrough: ["traceparent": "00-1", "ce_clientid": "client", "ce_intentdscript": "s", "ce_redriveof": "r"],
        data: ["user": ["id": "u1"], "value": "x"]
    )

    private static func read(_ content: RecordContent, at position: RecordPosition = Self.position) throws -> Event {
        try Event(content, position: position, timestamp: Self.arrival)
    }

    private static func code(_ body: () throws -> Event) -> EventDecodingError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? EventDecodingError)?.code
        }
    }

    private static func request(_ headers: [LogHeader], _ value: JSONValue? = nil) -> RecordContent {
        let data: JSONValue = value ?? ["intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
        return RecordContent(key: nil, value: data.utf8, headers: headers)
    }

    @Test("An event in binary or structured mode is read as it was written, and written again the same")
    func readsAndRewritesBothModes() throws {
        let binary = try Self.read(Self.whole.content)
        #expect(binary == Self.whole)
        #expect(binary.content == Self.whole.content)
        #expect(Self.whole.content.key == Array("u1".utf8))
        let json = Self.whole.structured
        #expect(try Event(structured: json, position: Self.position, timestamp: Self.arrival) == Self.whole)
        for type in ["application/cloudevents+json", "Application/CloudEvents+JSON; charset=utf-8"] {
            let content = RecordContent(key: nil, value: json.utf8, headers: [LogHeader("Content-Type", type)])
            #expect(try Self.read(content) == Self.whole)
        }
        #expect(json["specversion"] == "1.0")
        #expect(json["datacontenttype"] == "application/json")
        #expect(json["clientid"] == "client")
        #expect(json["traceparent"] == "00-1")
        #expect(Self.whole.headers.first == LogHeader("ce_specversion", "1.0"))
        #expect(Self.whole.headers.last == LogHeader("content-type", "application/json"))
    }

    @Test("Each attribute has a header, which is left out where there is no value")
    func eachAttributeHasAHeader() throws {
        var event = Self.whole
        (event.subject, event.causationID, event.stage, event.request, event.passedThrough) = (nil, nil, nil, nil, [:])
        #expect(
            event.headers.map(\.name) == [
                "ce_specversion", "ce_id", "ce_source", "ce_type", "ce_time", "ce_userid", "content-type",
            ]
        )
        #expect(try Self.read(event.content) == event)
        let json = event.structured
        #expect(["subject", "causationid", "stage", "request", "clientid"].allSatisfy { json[$0] == nil })
        #expect(try Event(structured: json, position: Self.position, timestamp: Self.arrival) == event)
        event.type = "else"
        #expect(event.knownType == nil)
        #expect(try Self.read(event.content).type == "else")
        #expect(EventHeaderName.header(ofAttribute: "datacontenttype") == "content-type")
        #expect(EventHeaderName.header(ofAttribute: "clientid") == "ce_clientid")
        #expect(EventHeaderName.header(ofAttribute: "tracestate") == "tracestate")
        #expect(EventHeaderName.header(ofAttribute: "id") == "ce_id")
    }

    @Test("What a client leaves out is filled in from the record's position and time")
    func missingAttributesComeFromRecord() throws {
        let event = try Self.read(Self.request([LogHeader("ce_type", "intent.requested")]))
        #expect(event.id == "requests/2/9")
        #expect(event.source == "unknown")
        #expect(event.time == Self.arrival)
        #expect(event.userID == "u1")
        #expect(event.subject == nil && event.causationID == nil && event.stage == nil && event.request == nil)
        #expect(event.passedThrough == [:])
    }

    @Test("Of two headers with one name the last counts, unless it is not UTF-8; an empty subject is none")
    func lastHeaderOfANameCounts() throws {
        let event = try Self.read(
            Self.request([
                LogHeader("ce_type", "intent.requested"), LogHeader("ce_id", "1"), LogHeader("ce_id", "2"),
                LogHeader("ce_id", bytes: [0xFF]), LogHeader("ce_subject", ""), LogHeader("ce_id", bytes: nil),
                LogHeader("ce_stage", "nowhere"), LogHeader("ce_time", "yesterday"), LogHeader("other", "x"),
                LogHeader("ce_clientid", String(repeating: "c", count: 1_025)),
                LogHeader("tracestate", String(repeating: "t", count: 1_024)),
                LogHeader("ce_request", String(repeating: "r", count: 1_025)),
            ])
        )
        #expect(event.id == "2")
        #expect(event.subject == nil)
        #expect(event.stage == nil)
        #expect(event.time == Self.arrival)
        #expect(event.request == nil)
        #expect(event.passedThrough.keys.sorted() == ["tracestate"])
    }

    @Test("A record without a required attribute says which one is missing")
    func reportsMissingAttribute() {
        let type = LogHeader("ce_type", "intent.requested")
        let user: JSONValue = ["user": ["id": "u1"]]
        let intent: JSONValue = ["intent": ["name": "GreetIntent"]]
        #expect(Self.code { try Self.read(Self.request([])) } == .missingType)
        #expect(Self.code { try Self.read(Self.request([LogHeader("ce_type", "")])) } == .missingType)
        #expect(Self.code { try Self.read(Self.request([type], intent)) } == .missingUser)
        #expect(Self.code { try Self.read(Self.request([type], user)) } == .missingIntentName)
        #expect(
            Self.code { try Self.read(Self.request([type], ["user": ["id": "u1"], "intent": ["name": ""]])) }
                == .missingIntentName
        )
        #expect(Self.code { try Self.read(Self.request([LogHeader("ce_type", "prompt.answered")], user)) } == nil)
        #expect(Self.code { try Self.read(Self.request([type, LogHeader("ce_userid", "u1")], intent)) } == nil)
        #expect(Self.code { try Self.read(RecordContent(key: nil, value: nil, headers: [type])) } == .malformed)
        #expect(
            Self.code { try Self.read(RecordContent(key: nil, value: Array("{".utf8), headers: [type])) } == .malformed
        )
        let structured = LogHeader("content-type", "application/cloudevents+json")
        #expect(Self.code { try Self.read(Self.request([structured], .array([]))) } == .malformed)
    }

    @Test("R1: a user's name with escapes has the bytes that they stand for, and a key that is no text has others")
    func escapedUsersAreComparedByTheirBytes() throws {
        func read(key: [UInt8]?, _ value: String) throws -> Event {
            try Self.read(
                RecordContent(
                    key: key,
                    value: Array(value.utf8),
                    headers: [LogHeader("ce_type", "prompt.answered"), LogHeader("ce_userid", "")]
                )
            )
        }
        let escaped = #"{"user":{"id":"\u0075\u0031"}}"#
        #expect(try read(key: Array("u1".utf8), escaped).userID == "u1")
        #expect(try read(key: nil, escaped).userID == "u1")
        #expect(Self.code { try read(key: Array("u2".utf8), escaped) } == .userMismatch)
        // What replaces bytes that are not UTF-8 must not count as the same name.
        #expect(Self.code { try read(key: [0xFF], #"{"user":{"id":"\ufffd"}}"#) } == .userMismatch)
        #expect(Self.code { try read(key: [0xFF], "{\"user\":{\"id\":\"\u{FFFD}\"}}") } == .userMismatch)
    }

    @Test("attributes of a structured event replace headers, also those that are passed through")
    func structuredAttributesReplaceHeaders() throws {
        let value = #"{"id":"2","type":"prompt.answered","traceparent":"b","tracestate":7,"data":{"user":{"id":"u1"}}}"#
        let event = try Self.read(
            RecordContent(
                key: nil,
                value: Array(value.utf8),
                headers: [
                    LogHeader("content-type", "application/cloudevents+json"), LogHeader("ce_id", "1"),
                    LogHeader("ce_subject", "i1"), LogHeader("traceparent", "a"), LogHeader("tracestate", "c"),
                ]
            )
        )
        #expect((event.id, event.subject?.text, event.knownType) == ("2", "i1", .promptAnswered))
        #expect(event.passedThrough == ["traceparent": "b", "tracestate": "c"])
    }

    @Test("R47: names, headers, values and depth are bounded in clients' events")
    func boundsNamesHeadersValuesAndDepth() {
        let type = LogHeader("ce_type", "prompt.answered")
        let (fits, isLonger) = (String(repeating: "x", count: 1_024), String(repeating: "x", count: 1_025))
        for name in ["ce_id", "ce_subject", "ce_userid"] {
            let none: JSONValue = name == "ce_userid" ? [:] : ["user": ["id": "u1"]]
            #expect(Self.code { try Self.read(Self.request([type, LogHeader(name, fits)], none)) } == nil)
            #expect(Self.code { try Self.read(Self.request([type, LogHeader(name, isLonger)], none)) } == .tooLarge)
        }
        #expect(Self.code { try Self.read(Self.request([LogHeader("ce_type", isLonger)])) } == .tooLarge)

        // A key of no bytes, and two headers: 32 bytes, names and values.
        func envelope(_ count: Int) -> RecordContent {
            let rest = count - 32 - "ce_type".count - "prompt.answered".count - 1
            return Self.request([type, LogHeader("x", String(repeating: "v", count: rest))], ["user": ["id": "u1"]])
        }
        #expect(Self.code { try Self.read(envelope(65_536)) } == nil)
        #expect(Self.code { try Self.read(envelope(65_537)) } == .tooLarge)
        #expect(Self.code { try Self.read(envelope(65_537), at: RecordPosition(.signals, 0, 0)) } == nil)

        func value(_ count: Int) -> RecordContent {
            let empty = JSONValue.object(["pad": "", "user": ["id": "u1"]]).utf8.count
            let pad = String(repeating: "p", count: count - empty)
            return Self.request([type], ["pad": .string(pad), "user": ["id": "u1"]])
        }
        #expect(Self.code { try Self.read(value(768 * 1_024)) } == nil)
        #expect(Self.code { try Self.read(value(768 * 1_024 + 1)) } == .tooLarge)
        #expect(Self.code { try Self.read(value(768 * 1_024 + 1), at: RecordPosition(.signals, 0, 0)) } == nil)

        func deep(_ depth: Int) -> RecordContent {
            let list = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
            return RecordContent(
                key: Array("u1".utf8),
                value: Array(#"{"a":\#(list)}"#.utf8),
                headers: [type, LogHeader("ce_userid", "u1")]
            )
        }
        #expect(Self.code { try Self.read(deep(64)) } == nil)
        #expect(Self.code { try Self.read(deep(65)) } == .malformed)
        #expect(Self.code { try Self.read(deep(65), at: RecordPosition(.signals, 0, 0)) } == nil)
    }

    @Test("R56: of an event that must not be read only the headers are reported, and no user if the key is another's")
    func headersOfUnreadEvent() {
        let headers = [
            LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", "u1"), LogHeader("ce_subject", "i1"),
        ]
        let bad = Array("not JSON".utf8)
        let error = Event.unread(RecordContent(key: Array("u1".utf8), value: bad, headers: headers), detail: "why")
        #expect(error.code == .crashed)
        #expect((error.type, error.userID, error.subject) == ("intent.requested", "u1", "i1"))
        #expect(error.description == "why")
        #expect(Event.unread(RecordContent(key: nil, value: bad, headers: headers), detail: "").userID == "u1")
        let other = Event.unread(RecordContent(key: Array("u2".utf8), value: bad, headers: headers), detail: "")
        #expect(other.userID == nil)
        #expect(other.subject == "i1")
        let long = headers + [LogHeader("ce_subject", String(repeating: "s", count: 1_025))]
        #expect(Event.unread(RecordContent(key: nil, value: bad, headers: long), detail: "").subject == "i1")
    }
}
