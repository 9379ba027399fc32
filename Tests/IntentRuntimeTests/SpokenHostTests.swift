import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("R73: the meaning of words is journaled, and replayed from the journal")
struct SpokenHostTests {
    private struct NoState: StateSource {
        func entry(_ name: StateName) -> StateEntry? { nil }
        func names(prefix: StateFamily) -> [StateName] { [] }
    }

    private static let position = RecordPosition(.requests, 0, 0)
    /// Thursday, 26 November 2026, 23:30 in UTC.
    private static let evening = Timestamp(milliseconds: 1_795_735_800_000)

    private static func query(
        _ text: String,
        as typeName: String = CalendarDate.typeName,
        locale: String = "en-GB",
        timeZone: String = "UTC",
        defaultTimeZone: String = "UTC"
    ) -> SpokenQuery {
        SpokenQuery(
            text,
            parameter: "day",
            typeName: typeName,
            locale: locale,
            timeZone: timeZone,
            defaultTimeZone: defaultTimeZone,
            now: Self.evening
        )
    }

    private static func live() throws -> LiveTurnHost {
        LiveTurnHost(
            environment: try .tests(.resolve),
            identifiers: TurnIdentifiers(deployment: "d", stage: .resolve, position: Self.position),
            attempt: 1,
            interaction: nil,
            user: "u1",
            source: NoState()
        )
    }

    private static func replaying(_ reads: [JournalRead]) -> ReplayTurnHost {
        var draft = TurnDraft(
            stage: .resolve,
            position: Self.position,
            eventID: "e1",
            eventType: "intent.requested",
            userID: "u1",
            at: Self.evening,
            attempt: 1,
            worker: "w",
            outcome: .prompted
        )
        draft.reads = reads
        let record = TurnRecord(draft, generation: 0, eventDigest: "", outputs: [], previousDigest: "")
        return ReplayTurnHost(record, deployment: "d")
    }

    @Test(
        "Words are read in the user's zone, or in the default one where it is not known",
        arguments: [
            ("UTC", "UTC", "2026-11-27"), ("Asia/Tokyo", "UTC", "2026-11-28"), ("Mars/Olympus", "UTC", "2026-11-27"),
            ("Mars/Olympus", "Asia/Tokyo", "2026-11-28"), ("Mars/Olympus", "Mars/Olympus", "2026-11-27"),
        ]
    )
    func readsInZoneOfUser(timeZone: String, defaultTimeZone: String, day: String) {
        let query = Self.query("tomorrow", timeZone: timeZone, defaultTimeZone: defaultTimeZone)
        #expect(query.meanings().map(\.value) == [.string(day)])
    }

    @Test("The live host journals each question once, and nothing of a type that is not read in it")
    func journalsEachQuestionOnce() throws {
        let host = try Self.live()
        let query = Self.query("tomorrow")
        #expect(host.understand(query) == host.understand(query))
        _ = host.understand(Self.query("nonsense"))
        #expect(host.reads.map(\.kind) == [.understood, .understood])
        #expect(query.meanings(in: host.reads[0])?.map(\.value) == ["2026-11-27"])
        #expect(query.meanings(in: host.reads[1]) == nil)
        #expect(Self.query("nonsense").meanings(in: host.reads[1]) == [])
    }

    @Test("A replay returns what is recorded and parses nothing")
    func replayNeedsNoParser() throws {
        let query = Self.query("tomorrow")
        let then = [SpokenMeaning(value: "1999-01-01", words: "a day that no parser finds")]
        let read = try #require(JournalRead(json: query.journaled(then).json))
        let host = Self.replaying([Self.query("today").journaled([]), read])
        #expect(host.understand(query) == then && host.understand(query) == then)
        #expect(host.reads == [read] && host.unrecordedReads.isEmpty)
    }

    @Test("Other words, another zone or another parameter are another question", arguments: ["said", "zone", "name"])
    func otherQuestionIsNotInRecord(what: String) {
        let recorded = Self.query("tomorrow")
        var query = recorded
        switch what {
        case "said": query.text = "today"
        case "zone": query.timeZone = "Asia/Tokyo"
        default: query.parameter = "other"
        }
        let host = Self.replaying([recorded.journaled(recorded.meanings())])
        #expect(host.understand(query).isEmpty)
        #expect(host.unrecordedReads == ["understood \(query.parameter)"])
    }
}
