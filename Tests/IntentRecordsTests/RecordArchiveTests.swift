import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentRecords

@Suite struct RecordArchiveTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
    }

    /// An archive of 30 interactions while the recorder still has the file open.
    private func archive() async throws -> (RecordArchive, RecordDatabase) {
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        let traffic = Traffic(seed: 3, interactions: 30, junk: false)
        try await RecordTables.write(traffic.interleaved(seed: 5), to: database)
        return (try await RecordArchive.open(at: self.path), database)
    }

    @Test func listsInteractionsNewestFirst() async throws {
        let (archive, database) = try await self.archive()
        let all = try await archive.interactions(InteractionFilter())
        #expect(all.map(\.interactionID) == (0..<30).reversed().map { InteractionID("interaction-\($0)") })
        let newest = try #require(all.first)
        #expect(newest.status == "success")
        #expect(newest.code == "success")
        #expect(newest.endReason == "nominal")
        #expect(newest.phase == "handle")
        #expect(newest.terminalResponses == 1)
        #expect(newest.turns == newest.prompts + 3)
        #expect(newest.parameters == ["content": "h\u{e9}llo 29"])
        #expect(try #require(newest.duration) > 0)
        await database.close()
    }

    @Test(
        "R80a: durations and times are the same, and bounded, whatever the clients' clocks say",
        arguments: [-3, 0, 3]
    )
    func boundsClientsClocks(days: Int64) async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        var records = Traffic(seed: 3, interactions: 30, junk: false).records
        let topic = Topic.requests.name(prefix: Traffic.prefix)
        for index in records.indices where records[index].topicPartition.topic == topic {
            records[index].timestamp += days * ClientClock.tolerance
        }
        try await RecordTables.write(records, to: database)
        let archive = try await RecordArchive.open(at: self.path)
        let all = try await archive.interactions(InteractionFilter()).filter { $0.endedAt != nil }
        let times = try await archive.times(of: all, now: .distantFuture)
        #expect(all.count > 20)
        for (interaction, times) in zip(all, times) {
            let duration = try #require(interaction.duration)
            #expect(duration == times?.total && (0...ClientClock.tolerance + 3_600_000).contains(duration))
            #expect(days == 0 || interaction.requestedAt != times?.requestedAt)
        }
        await database.close()
    }

    @Test("The queries of one read see one state, whatever is written meanwhile")
    func queriesOfOneReadSeeOneState() async throws {
        let (archive, database) = try await self.archive()
        let counts = try await archive.read { [path] database in
            func count() throws -> Int? { try Int.fetchOne(database, sql: "SELECT count(*) FROM turns") }
            let before = try count()
            try DatabaseQueue(path: path).write { try $0.execute(sql: "DELETE FROM turns_kept") }
            return [before, try count()]
        }
        #expect(counts[0] ?? 0 > 0)
        #expect(counts[0] == counts[1])
        #expect(try await archive.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM turns") } == 0)
        await database.close()
    }

    @Test func filtersSelect() async throws {
        let (archive, database) = try await self.archive()
        let all = try await archive.interactions(InteractionFilter())
        let cases: [(InteractionFilter, (RecordedInteraction) -> Bool)] = [
            (InteractionFilter(userID: "user-3"), { $0.userID == "user-3" }),
            (InteractionFilter(intent: "INRequestRideIntent"), { $0.intent == "INRequestRideIntent" }),
            (InteractionFilter(status: "success"), { $0.status == "success" }),
            (InteractionFilter(since: all[10].requestedAt), { $0.requestedAt! >= all[10].requestedAt! }),
            (
                InteractionFilter(userID: "user-1", intent: "INSendMessageIntent", status: "success"),
                { $0.userID == "user-1" && $0.intent == "INSendMessageIntent" && $0.status == "success" }
            ),
            (InteractionFilter(userID: "nobody"), { _ in false }),
        ]
        for (filter, isSelected) in cases {
            #expect(try await archive.interactions(filter) == all.filter(isSelected), "\(filter)")
        }
        #expect(try await archive.interactions(InteractionFilter(limit: 3)) == Array(all.prefix(3)))
        await database.close()
    }

    @Test func storyHasEventsInOrder() async throws {
        let (archive, database) = try await self.archive()
        let story = try #require(try await archive.story(ofInteraction: "interaction-12"))
        let types = story.events.map { $0.type ?? "" }
        #expect(types.first == "intent.requested")
        #expect(types.last == "user-activity.created")
        #expect(types.count { $0 == "prompt.issued" } == story.interaction.prompts)
        // An answer names no request; the turn that processed it does.
        #expect(types.count { $0 == "prompt.answered" } == story.interaction.prompts)
        #expect(story.events.allSatisfy { $0.subject == "interaction-12" })
        #expect(story.events.map(\.timestamp) == story.events.map(\.timestamp).sorted())
        #expect(story.turns.count == story.interaction.turns)
        #expect(story.turns.first?.record.opened == true)
        #expect(story.turns.last?.record.outcome == .ended)
        #expect(try await archive.story(ofInteraction: "interaction-99") == nil)
        await database.close()
    }

    @Test func archiveWithoutFileSaysSo() async throws {
        let error = await #expect(throws: StoreError.self) { _ = try await RecordArchive.open(at: self.path) }
        #expect(error?.code == .file)
    }

    @Test("An interaction that the user has confirmed is ready, also before it is handled")
    func confirmedInteractionIsReady() async throws {
        func record(_ topic: Topic, _ offset: Int64, _ type: EventType, _ request: RequestID, _ data: JSONValue)
            -> LogRecord
        {
            let event = Event(
                id: "\(topic.rawValue)-\(offset)",
                source: "test",
                type: type,
                time: Timestamp(milliseconds: 1_790_000_000_000 + offset),
                subject: InteractionID("of-\(request)"),
                userID: "ada",
                request: request,
                data: data
            )
            return LogRecord(
                topicPartition: TopicPartition(topic.name(prefix: Traffic.prefix), 0),
                offset: offset,
                timestamp: 1_790_000_000_000 + offset,
                key: Array("ada".utf8),
                value: data.utf8,
                headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
            )
        }
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        let asked: JSONValue = ["kind": "intentConfirmation", "intent": ["name": "PayIntent"]]
        let records = [
            record(.responses, 0, .promptIssued, "0:0", asked), record(.responses, 1, .promptIssued, "0:1", asked),
            record(.confirmed, 0, .intentConfirmed, "0:1", ["intent": ["name": "PayIntent"]]),
        ]
        try await RecordTables.write(records, to: database)
        let archive = try await RecordArchive.open(at: self.path)
        func ids(_ status: String?) async throws -> [String?] {
            try await archive.interactions(InteractionFilter(status: status)).map { $0.interactionID?.text }
                .sorted {
                    ($0 ?? "") < ($1 ?? "")
                }
        }
        #expect(try await ids(nil) == ["of-0:0", "of-0:1"])
        #expect(try await ids("userConfirmationRequired") == ["of-0:0"])
        #expect(try await ids("ready") == ["of-0:1"])
        await database.close()
    }
}
