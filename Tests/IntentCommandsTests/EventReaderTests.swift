import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("produce checks events")
struct EventReaderTests {
    private let reader = EventReader(now: Timestamp(milliseconds: 1_000))

    @Test("A request needs a type, a user and an intent; the rest is filled in")
    func fillsInMissingAttributes() throws {
        let line = #"{"type":"intent.requested","data":{"intent":{"name":"NoSuchIntent"},"user":{"id":"anna"}}}"#
        let event = try self.reader.read(Array(line.utf8))
        #expect(event.userID == "anna")
        #expect(event.source == "intentd/produce")
        #expect(event.time == Timestamp(milliseconds: 1_000))
        #expect(event.id.utf8.count == 36)
        let record = Deployment(id: "d", prefix: "x", partitions: 8).request(event)
        #expect(record.topicPartition.topic == "x.requests")
        #expect(record.topicPartition.partition == HomePartition.of(user: "anna", count: 8))
        #expect(record.key == Array("anna".utf8))
        #expect(record.value == event.data.utf8)
        #expect(record.headers.contains { $0.name == "ce_type" && $0.text == "intent.requested" })
    }

    @Test("An event may have as many bytes as the contract says, and no more (R47)")
    func acceptsLargestEvent() throws {
        func line(_ count: Int) -> [UInt8] {
            let rest = #"{"type":"user.authenticated","data":{"user":{"id":"anna"},"pad":""}}"#.utf8.count
            let pad = String(repeating: "p", count: count - rest)
            return Array(#"{"type":"user.authenticated","data":{"user":{"id":"anna"},"pad":"\#(pad)"}}"#.utf8)
        }
        let largest = Event.maximumInboundBytes
        #expect(try self.reader.read(line(largest)).userID == "anna")
        let failure = #expect(throws: OperationError.self) { try self.reader.read(line(largest + 1)) }
        #expect(failure?.message.contains("has \(largest + 1) bytes") == true)
    }

    @Test("The attributes that a client sets are kept")
    func keepsAttributesOfClient() throws {
        let line = """
            {"specversion":"1.0","id":"e1","source":"app","type":"prompt.answered","time":"2026-11-21T12:00:00Z",\
            "subject":"i1","userid":"anna","clientid":"c","data":{"promptId":"i1/r/1","action":"accept","choice":0}}
            """
        let event = try self.reader.read(Array(line.utf8))
        #expect(event.id == "e1")
        #expect(event.source == "app")
        #expect(event.subject == "i1")
        #expect(event.passedThrough == ["ce_clientid": "c"])
    }

    @Test(
        "Each problem is named",
        arguments: [
            (#"{"type":"intent.requested","data":{"intent":{"na"#, "is the line cut off?"),
            ("[1]", "an event is an object"),
            ("{}", "type is missing"), (#"{"type":5}"#, "type must be a string, not an integer"),
            (#"{"type":"intent.request"}"#, "did you mean intent.requested?"),
            (#"{"type":"intent.responded","userid":"a"}"#, "written by intentd only"),
            (#"{"type":"user.authenticated"}"#, "the event has no user"),
            (#"{"type":"intent.requested","userid":"a"}"#, "data is missing"),
            (#"{"type":"user.authenticated","userid":"a","time":"noon"}"#, "time must be a date and time"),
            (#"{"type":"user.authenticated","userid":"a","data":[]}"#, "data must be an object, not an array"),
            (#"{"type":"prompt.answered","userid":"a","data":{"promptId":"p","action":"yes"}}"#, "not \"yes\""),
            (#"{"type":"interaction.cancelled","userid":"a"}"#, "subject is missing"),
            (#"{"type":"vocabulary.replaced","userid":"a","data":{"type":"x","strings":[]}}"#, "data.type must be"),
        ]
    )
    func reportsEachProblem(line: String, problem: String) throws {
        let failure = try #require(throws: OperationError.self) { try self.reader.read(Array(line.utf8)) }
        #expect(failure.code == .badData)
        #expect(failure.message.contains(problem), "\(failure.message)")
    }

    @Test(
        "R79: what is not read is named with what was probably meant",
        arguments: [
            (#""intent":{"name":"A","params":{}}"#, "data.intent.params is not read; did you mean parameters?"),
            (#""intent":{"name":"A"},"device":{"lokced":0}"#, "data.device.lokced is not read; did you mean locked?"),
            (#""intent":{"name":"A"},"frobnicate":1"#, "data.frobnicate is not read"),
            (#""intent":{"name":"A","parameters":{"params":{"params":1}}}"#, ""),
            (#""intent":{"name":"A","x-mine":1},"my.own":2,"my:own":3"#, ""),
        ]
    )
    func namesUnknownMembers(data: String, mistakes: String) throws {
        let line = #"{"type":"intent.requested","userid":"ann","campaign":"c","data":{\#(data)}}"#
        let unknown = try self.reader.check(Array(line.utf8)).unknown
        #expect(unknown.map(EventReader.description(of:)).joined() == mistakes)
    }

    @Test("R79: of an event with many unknown members ten are named, cut and on one line")
    func namesFewOfMany() throws {
        let long = String(repeating: "n", count: 300)
        let members = (0..<1_000).map { #""n\n\#($0)\#(long)":1"# }.joined(separator: ",")
        let line = #"{"type":"user.authenticated","userid":"ann","data":{\#(members)}}"#
        let unknown = try self.reader.check(Array(line.utf8)).unknown
        #expect(unknown.count == 10)
        for text in unknown.map(EventReader.description(of:)) {
            #expect(text.utf8.count <= 160)
            #expect(!text.contains("\n"))
        }
    }

    @Test("R47: an event is at most 768 KiB")
    func boundsEventSize() throws {
        let text = String(repeating: "x", count: 2 << 20)
        let line = #"{"type":"user.authenticated","userid":"a","data":{"x":"\#(text)"}}"#
        let failure = try #require(throws: OperationError.self) { try self.reader.read(Array(line.utf8)) }
        #expect(failure.message.contains("at most 786432"))
    }
}
