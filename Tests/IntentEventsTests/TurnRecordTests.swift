import IntentEvents
import IntentKit
import Testing

@Suite("A turn's record")
struct TurnRecordTests {
    private static let plain = TurnRecord(
        TurnDraft(
            stage: .confirm,
            position: RecordPosition(.resolved, 3, 44),
            eventID: "e1",
            eventType: "intent.resolved",
            userID: "u1",
            at: Timestamp(milliseconds: 1_795_264_200_000),
            attempt: 1,
            worker: "w1",
            outcome: .passed
        ),
        generation: 0,
        eventDigest: "",
        outputs: [],
        previousDigest: ""
    )

    private static func content(_ record: TurnRecord) -> RecordContent {
        record.event(id: "j1", source: record.stage.source).content
    }

    @Test("A record with only the required members")
    func minimalRecord() throws {
        let read = try #require(TurnRecord(Self.content(Self.plain)))
        #expect(read == Self.plain)
        #expect(read.behaviour == TurnRecord.currentBehaviour)
    }

    /// A change that another record of the same turn would have, by the member that it is about.
    private static let changes: [(String, @Sendable (inout TurnRecord) -> Void)] = [
        ("generation", { $0.generation = 2 }), ("attempt", { $0.attempt = 3 }), ("behaviour", { $0.behaviour = 1 }),
        ("interactionID", { $0.interactionID = "i1" }), ("request", { $0.request = "0:7" }),
        ("intentName", { $0.intentName = "GreetIntent" }), ("opened", { $0.opened = true }),
        ("until", { $0.until = $0.at + 90_000 }), ("firstTriedAt", { $0.firstTriedAt = $0.at + -5 }),
        ("handler", { ($0.handlerName, $0.handlerVersion) = ("Greet", "4") }), ("isScripted", { $0.isScripted = true }),
        ("isTruncated", { $0.isTruncated = true }), ("isRedriven", { $0.isRedriven = false }),
        ("isDecided", { $0.isDecided = true }),
        ("crash", { $0.crash = CrashVerdict(deaths: 3) }),
        ("crash while decoding", { $0.crash = CrashVerdict(deaths: 2, isUndecoded: true) }),
        ("before", { $0.before = ["a": Array("null".utf8), "b/c": Array(#"{"x":1}"#.utf8)] }),
        ("outputs", { $0.outputs = [.init(target: "responses", digest: "ab"), .init(target: "state:x", digest: "")] }),
        ("eventDigest", { $0.eventDigest = "0123" }), ("previousDigest", { $0.previousDigest = "cdef" }),
        ("note", { $0.note = .report(fraction: 0.4, text: "Comparing fares") }),
        ("note of a step", { $0.note = .step(CommittedStep(name: "fares", ordinal: 2, value: ["a", 1, .null])) }),
        ("note with steps", { $0.note = .report(fraction: nil, text: nil, steps: ["fares", "hotel"]) }),
        ("note without members", { $0.note = .report(fraction: nil, text: nil) }),
        ("outcome", { $0.outcome = .ended }), ("worker", { $0.worker = "w2" }),
        ("reads", { $0.reads = Self.reads }),
    ]

    private static let reads = [
        JournalRead(kind: .run, name: "look", result: .value(["a": 1])),
        JournalRead(kind: .read, name: "nothing", result: .value(.null)),
        JournalRead(kind: .effect, name: "log", result: .failure(JournaledError(message: "full", isTransient: true))),
        JournalRead(
            kind: .run,
            name: "busy",
            result: .failure(JournaledError(message: "503", isTransient: true, retryAfter: .milliseconds(1_500)))
        ),
        JournalRead(
            kind: .vocabulary,
            name: "person",
            result: .failure(JournaledError(message: "m", isTransient: false, clientMessage: "for people"))
        ),
    ]

    @Test("Each member by itself, and all of them together", arguments: Self.changes.indices)
    func membersAloneAndTogether(index: Int) throws {
        var record = Self.plain
        Self.changes[index].1(&record)
        #expect(record != Self.plain, "\(Self.changes[index].0)")
        #expect(TurnRecord(Self.content(record)) == record, "\(Self.changes[index].0)")
        for (_, change) in Self.changes { change(&record) }
        #expect(TurnRecord(Self.content(record)) == record)
    }

    @Test("The header has the time of the answer; the record's own time is written only if it differs")
    func headerTimeIsAnswersTime() {
        var record = Self.plain
        #expect(record.event(id: "j", source: "s").time == record.at)
        #expect(record.event(id: "j", source: "s")["at"] == nil)
        record.until = record.at + 60_000
        #expect(record.event(id: "j", source: "s").time == record.at + 60_000)
        #expect(record.event(id: "j", source: "s")["at"]?.string == record.at.description)
    }

    @Test("Another event, one without a value, and one without a required member are refused")
    func otherEventsAreNoTurnRecord() throws {
        let event = Self.plain.event(id: "j1", source: "s")
        var other = event
        other.type = "intent.resolved"
        #expect(TurnRecord(other.content) == nil)
        #expect(TurnRecord(RecordContent(key: nil, value: nil, headers: event.headers)) == nil)
        for name in ["position", "event", "worker", "outcome"] {
            var members = try #require(event.data.object)
            members[name] = nil
            other = event
            other.data = .object(members)
            #expect(TurnRecord(other.content) == nil, "\(name)")
        }
        for name in ["ce_type", "ce_stage", "ce_time", "ce_causationid", "ce_userid"] {
            let content = event.content
            let headers = content.headers.filter { $0.name != name }
            #expect(TurnRecord(RecordContent(key: nil, value: content.value, headers: headers)) == nil, "\(name)")
        }
    }

    @Test("An output to state names its entry; no other name does")
    func stateOutputNamesItsEntry() {
        let target = TurnRecord.Output.target("known/i1")
        #expect(target == "state:known/i1")
        #expect(TurnRecord.Output(target: target, digest: "").stateName == "known/i1")
        #expect(TurnRecord.Output(target: "state", digest: "").stateName == nil)
        #expect(TurnRecord.Output(target: "responses", digest: "").stateName == nil)
    }

    @Test("An access of an unknown kind, without a name, or whose error is empty is refused")
    func refusesInvalidAccesses() {
        for read in Self.reads { #expect(JournalRead(json: read.json) == read) }
        #expect(JournalRead(json: ["kind": "other", "name": "n", "value": 1]) == nil)
        #expect(JournalRead(json: ["kind": "run", "value": 1]) == nil)
        #expect(JournalRead(json: ["kind": "run", "name": "n", "error": [:]]) == nil)
        let bare: JSONValue = ["kind": "run", "name": "n", "error": ["message": "m"]]
        #expect(JournalRead(json: bare)?.result == .failure(JournaledError(message: "m", isTransient: false)))
        #expect(CrashVerdict(json: [:]) == nil)
    }
}
