import IntentEvents
import IntentKit
import Testing

@Suite("An event's data are read in place")
struct EventDataTests {
    private static let position = RecordPosition(.signals, 0, 7)
    private static let data =
        #"{"user":{"id":"u1"},"a":1,"text":"\u0061\n","list":[1,{"x":null}],"a":2.5,"\u0062":true,"none":null}"#
    private static let names: [StaticString] = ["user", "a", "text", "list", "b", "none", "absent"]

    private static func event(_ value: String, _ headers: [LogHeader]) throws -> Event {
        let content = RecordContent(key: nil, value: Array(value.utf8), headers: headers)
        return try Event(content, position: Self.position, timestamp: Timestamp(milliseconds: 0))
    }

    private static let binary = [LogHeader("ce_type", bytes: Array("timer.fired".utf8))]
    private static let structured = [
        LogHeader("content-type", bytes: Array("application/cloudevents+json; charset=utf-8".utf8))
    ]

    /// Whether an event has the same content as the tree of its data, member by member.
    private static func isSame(_ event: Event, _ tree: JSONValue) -> Bool {
        event.data == tree && Self.names.allSatisfy { event[$0] == tree[$0.description] }
    }

    @Test("The same data in binary mode, in structured mode, and of an event that was made here")
    func binaryStructuredAndMadeDataAreEqual() throws {
        let tree = try JSONValue(parsing: Self.data)
        let binary = try Self.event(Self.data, Self.binary)
        // Of two members with one name the last counts, also of two `data`.
        let structured = try Self.event(
            #"{"type":"timer.fired","data":{"a":0},"d\u0061ta":\#(Self.data)}"#,
            Self.structured
        )
        #expect(Self.isSame(binary, tree))
        #expect(Self.isSame(structured, tree))
        #expect(binary == structured)
        #expect(binary.hashValue == structured.hashValue)
        var made = binary
        made.data = tree
        #expect(Self.isSame(made, tree))
        #expect(made == binary)
        made.data = .object([:])
        #expect(Self.isSame(made, .object([:])))
        #expect(made != binary)
    }

    @Test("A structured event without data has an object without members")
    func structuredEventWithoutDataIsEmpty() throws {
        let event = try Self.event(#"{"type":"timer.fired","userid":"u1"}"#, Self.structured)
        #expect(Self.isSame(event, .object([:])))
    }

    @Test("The user's id must have the bytes of the header's; another is refused")
    func userIDMustEqualHeader() throws {
        let id = "a user's id that is longer than fifteen bytes"
        let header = LogHeader("ce_userid", bytes: Array(id.utf8))
        for text in [id, #"a user's id that is longer than fifteen b\u0079tes"#] {
            let event = try Self.event(#"{"user":{"id":"\#(text)"}}"#, Self.binary + [header])
            #expect(event.userID.text == id)
        }
        let error = #expect(throws: EventDecodingError.self) {
            try Self.event(#"{"user":{"id":"a user's id that is longer than fifteen bytez"}}"#, Self.binary + [header])
        }
        #expect(error?.code == .userMismatch)
    }
}
