import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentRecords

@Suite("Searching interactions page by page")
struct InteractionSearchTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
    }

    private func archive() async throws -> RecordArchive {
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        try await RecordTables.write(Traffic(seed: 3, interactions: 60, junk: false).interleaved(seed: 5), to: database)
        await database.close()
        return try await RecordArchive.open(at: self.path)
    }

    private func all(_ search: InteractionSearch, _ archive: RecordArchive) async throws -> [RecordedInteraction] {
        var search = search
        var found: [RecordedInteraction] = []
        while true {
            let page = try await archive.page(search)
            #expect(page.interactions.count <= search.limit)
            found += page.interactions
            guard let next = page.next else { return found }
            #expect(next != search.after)
            search.after = next
        }
    }

    @Test("Pages of any length cover everything once, the newest first", arguments: [1, 7, 50, 1_000])
    func pagesCoverEverythingOnceNewestFirst(limit: Int) async throws {
        let archive = try await self.archive()
        var search = InteractionSearch()
        search.limit = limit
        let found = try await self.all(search, archive)
        #expect(found.count == 60)
        #expect(Set(found.map(\.position)).count == 60)
        #expect(
            found.map { $0.requestedAt?.milliseconds ?? 0 }
                == found.map { $0.requestedAt?.milliseconds ?? 0 }.sorted(by: >)
        )
    }

    @Test("Filters select, whether a page looks at all rows or at a few", arguments: [3, 10_000])
    func filtersSelectInPagesOfAnyReach(scanLimit: Int) async throws {
        let archive = try await self.archive()
        let all = try await self.all(InteractionSearch(), archive)
        let middle = try #require(all[30].requestedAt)
        let cases: [(WritableKeyPath<InteractionSearch, String?>?, String, (RecordedInteraction) -> Bool)] = [
            (\.intent, "INRequestRideIntent", { $0.intent == "INRequestRideIntent" }),
            (\.code, "success", { [$0.code, $0.status, $0.endReason].contains("success") }),
            (\.code, "nominal", { $0.endReason == "nominal" }),
            (\.stage, "handle", { $0.phase == "handle" }),
            (\.text, "LO 1", { $0.parameters?.description.contains("llo 1") ?? false }),
            (\.text, "%", { _ in false }),
            (\.text, "nothing like it", { _ in false }),
        ]
        for (field, value, isSelected) in cases {
            var search = InteractionSearch()
            search.limit = 3
            search.scanLimit = scanLimit
            if let field { search[keyPath: field] = value }
            #expect(try await self.all(search, archive) == all.filter(isSelected), "\(value)")
        }
        var search = InteractionSearch()
        search.limit = 3
        search.scanLimit = scanLimit
        search.userID = "user-3"
        search.since = middle
        #expect(
            try await self.all(search, archive) == all.filter { $0.userID == "user-3" && $0.requestedAt! >= middle }
        )
        search.userID = nil
        search.since = nil
        search.until = middle
        search.state = .ended
        #expect(try await self.all(search, archive) == all.filter { $0.endedAt != nil && $0.requestedAt! < middle })
    }

    @Test(
        "R90a: a search selects by each state, whether a page examines all open interactions or one",
        arguments: [1, 500]
    )
    func selectsByState(stateLimit: Int) async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        let records = Traffic(seed: 3, interactions: 60, junk: false).records
        // Nothing was done with the later requests.
        let middle = records.map(\.timestamp).sorted()[records.count / 2]
        let requests = Topic.requests.name(prefix: Traffic.prefix)
        let early = records.filter { $0.timestamp < middle || $0.topicPartition.topic == requests }
        try await RecordTables.write(early, to: database)
        await database.close()
        let archive = try await RecordArchive.open(at: self.path)
        let all = try await self.all(InteractionSearch(), archive)
        let times = try await archive.times(of: all, now: .distantFuture)
        let states = Dictionary(grouping: zip(all, times), by: { $0.1?.state }).mapValues { $0.map(\.0) }
        #expect(Set(states.keys).isSuperset(of: [.ended, .queued]), "\(states.keys)")
        for state in InteractionState.allCases {
            for limit in [1, 50] {
                var search = InteractionSearch()
                (search.limit, search.stateLimit) = (limit, stateLimit)
                search.state = .init(rawValue: state.rawValue)
                #expect(try await self.all(search, archive) == states[state] ?? [], "\(state)")
            }
        }
        var search = InteractionSearch()
        search.state = .open
        #expect(try await self.all(search, archive) == all.filter { $0.endedAt == nil })
    }

    @Test("R90: a search selects by status, and by the value of a parameter of its intents alone")
    func selectsByStatusAndParameter() async throws {
        let archive = try await self.archive()
        let all = try await self.all(InteractionSearch(), archive)
        var search = InteractionSearch()
        search.status = "success"
        #expect(try await self.all(search, archive) == all.filter { $0.status == "success" })
        let one = try #require(all.first { $0.parameters?.object?.contains { $0.value.string != nil } ?? false })
        let (name, value) = try #require(one.parameters?.object?.first { $0.value.string != nil })
        let intent = try #require(one.intent)
        func found(_ text: String, _ intents: [String]) async throws -> [RecordedInteraction] {
            var search = InteractionSearch()
            search.parameters = [.init(name: name, value: text, intents: intents)]
            return try await self.all(search, archive)
        }
        let text = try #require(value.string)
        let expected = all.filter { $0.intent == intent && $0.parameters?[name]?.string == text }
        #expect(!expected.isEmpty)
        #expect(try await found(text.replacing("llo", with: "LLO"), [intent, "Other"]) == expected)
        #expect(try await found(text, ["Other"]).isEmpty)
        #expect(try await found(text + "x", [intent]).isEmpty)
    }

    @Test("A page that looks at few rows says that it was cut short, and where the next one begins")
    func limitedPageSaysWhereNextBegins() async throws {
        let archive = try await self.archive()
        var search = InteractionSearch()
        search.text = "nothing like it"
        search.limit = 5
        search.scanLimit = 10
        let page = try await archive.page(search)
        #expect(page.interactions.isEmpty)
        #expect(page.isCutShort)
        #expect(page.next != nil)
    }

    @Test("The search uses an index and sorts nothing")
    func searchUsesIndexWithoutSorting() async throws {
        let archive = try await self.archive()
        let (byTime, byUser, open) = try await archive.read { database in
            func plan(_ condition: String) throws -> [String] {
                try Row.fetchAll(
                    database,
                    sql: """
                        EXPLAIN QUERY PLAN SELECT * FROM (SELECT rowid, * FROM interactions WHERE requested_at IS NOT NULL
                        \(condition) AND (requested_at, rowid) < (9, 9) ORDER BY requested_at DESC, rowid DESC LIMIT 5)
                        WHERE intent = 'x' LIMIT 2
                        """
                )
                .map { $0["detail"] }
            }
            return (try plan(""), try plan("AND user_id = 'u'"), try plan("AND ended_at IS NULL"))
        }
        for (steps, index) in [
            (byTime, "interactions_by_time"), (byUser, "interactions_by_user"), (open, "interactions_open"),
        ] {
            #expect(steps.contains { $0.contains(index) }, "\(steps)")
            #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
        }
    }

    @Test("Activity lists records in order: what they are, when, and how long people waited for the first answer")
    func activityListsRecordsInOrder() async throws {
        let archive = try await self.archive()
        let last = try await archive.lastRows()
        let rows = try await archive.activity(1..<last.events + 1)
        #expect(rows.map(\.row) == rows.map(\.row).sorted())
        #expect(rows.count { $0.topic == .requests && $0.type == "intent.requested" } >= 60)
        // Whichever answer of an interaction is first in the file.
        #expect(rows.count { $0.firstWordAfter != nil } <= 60)
        #expect(rows.count { $0.firstWordAfter != nil } > 30)
        let workers = try await archive.workers(1..<last.turns + 1)
        #expect(workers.reduce(0) { $0 + $1.turns } == rows.count { $0.topic == .journal })
        let counts = try await archive.openCounts()
        #expect(counts.interactions > 0)
        #expect(rows.count(where: \.isTerminal) + counts.interactions == 60)
        #expect(try await archive.letters(limit: 1_000).count == counts.letters)
    }
}
