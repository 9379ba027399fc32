import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@testable import IntentAudit

@Suite("Every step of a recorded interaction, played again")
struct ShadowPlayTests {
    /// Asks guests to a place.
    private struct InviteIntent: Intent {
        @Parameter var place: String?
        @Parameter var guests: [String]?
    }

    /// Invites as each test says; without that, it asks for the place alone, and takes everything as it is.
    private struct InviteHandler: IntentHandler {
        var place: @Sendable (String?, TurnContext) async throws -> INStringResolutionResult = { said, _ in
            said.map { .success(with: $0) } ?? .needsValue()
        }
        var guests: @Sendable ([String]) -> [INStringResolutionResult] = { said in
            said.isEmpty ? [.notRequired()] : said.map { .success(with: $0) }
        }
        var confirm: @Sendable (TurnContext) async throws -> IntentResponse<InviteIntent> = { _ in
            IntentResponse(code: .ready)
        }
        var handle: @Sendable (InviteIntent, TurnContext) async throws -> Void = { _, context in
            _ = try await context.effect("invite") { _ in 1 }
        }

        var handling: Handling<InviteIntent> {
            Resolve(\.$place) { said, context in try await self.place(said, context) }
            Resolve(\.$guests) { said, _ in self.guests(said ?? []) }
            Confirm { _, context in try await self.confirm(context) }
            Handle { intent, context in
                try await self.handle(intent, context)
                return IntentResponse(code: .success)
            }
        }
    }

    private struct Hiccup: TransientError {}

    /// Counts calls.
    private final class Calls: Sendable {
        private let number = Mutex<Int64>(0)

        var count: Int64 { self.number.withLock(\.self) }

        @discardableResult
        func record() -> Int64 {
            self.number.withLock { number in
                number += 1
                return number
            }
        }
    }

    private static func invite(
        confirmation: ConfirmationPolicy = .never,
        _ change: (inout InviteHandler) -> Void = { _ in }
    ) -> [IntentRegistration] {
        var handler = InviteHandler()
        change(&handler)
        return [IntentRegistration(confirmation: confirmation) { [handler] in handler }]
    }

    /// The only change that a report shows.
    private static func expect(
        _ report: ShadowReport,
        _ then: String,
        _ now: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let change = ShadowReport.Change(intent: "InviteIntent", then: then, now: now, interactions: ["i1"])
        #expect(report.changes == [change], sourceLocation: location)
    }

    /// The only interaction is unknown, which is not a difference.
    private static func expectUnknown(
        _ report: ShadowReport,
        _ reason: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(report.unknowns == [.init(reason: reason, interactions: ["i1"])], sourceLocation: location)
        #expect(report.differing == 0, sourceLocation: location)
        #expect(report.interactions == 1, sourceLocation: location)
    }

    @Test("R24, R35, R44: each try is played at the time of the recorded one, and an interaction's time from the first")
    func tries() async throws {
        let registrations = Self.invite { handler in
            handler.place = { said, context in
                guard context.attempt == 3 || said != nil else { throw Hiccup() }
                return said.map { .success(with: $0) } ?? .needsValue()
            }
        }
        var settings = RuntimeSettings()
        settings.parkedMaxAge = .seconds(60)
        let pipeline = try await SteppedPipeline(registrations, settings: settings)
        let began = pipeline.now
        try await pipeline.request("InviteIntent", "i1")
        #expect(pipeline.now > began)
        // The interaction has used up its time, to the millisecond.
        pipeline.now = began + 60_000
        try await pipeline.answer(["value": "Opera"])
        let same = try await pipeline.shadow(registrations)
        #expect(same.interactions == 1)
        #expect(same.isSame)
        settings.parkedMaxAge = .milliseconds(60_001)
        Self.expect(
            try await pipeline.shadow(registrations, settings: settings),
            "failure timeout with nothing",
            "success nominal with invite"
        )
    }

    @Test("R44: an interaction that was cancelled while its handler ran is cancelled again, whatever it would ask for")
    func cancelledCountsAsCancelled() async throws {
        let pipeline = try await SteppedPipeline(Self.invite())
        pipeline.hangs = true
        try await pipeline.request("InviteIntent", "i1", ["place": "Opera"])
        try await pipeline.send(.interactionCancelled, about: "i1")
        let hanging = Self.invite { $0.handle = { _, _ in try await hangUntilCancelled() } }
        let reading = Self.invite { $0.handle = { _, context in _ = try await context.run("price") { 42 } } }
        for today in [Self.invite(), hanging, reading] {
            let report = try await pipeline.shadow(today, timeout: .milliseconds(20))
            #expect(report.interactions == 1)
            #expect(report.isSame)
        }
    }

    @Test("R44: the answer of a handler that hangs today is unknown")
    func hangingHandler() async throws {
        let pipeline = try await SteppedPipeline(Self.invite())
        try await pipeline.request("InviteIntent", "i1", ["place": "Opera"])
        let hanging = Self.invite { $0.handle = { _, _ in try await hangUntilCancelled() } }
        Self.expectUnknown(try await pipeline.shadow(hanging, timeout: .milliseconds(20)), "does not answer")
    }

    @Test("R44: an interaction whose handler still ran at the end of the range stays open in the shadow run")
    func runningAtTheEndOfTheRange() async throws {
        let pipeline = try await SteppedPipeline(Self.invite())
        pipeline.hangs = true
        try await pipeline.request("InviteIntent", "i1", ["place": "Opera"])
        let report = try await pipeline.shadow(Self.invite())
        #expect(report.interactions == 1)
        #expect(report.isSame)
    }

    /// Asks for the place, the guests, or both.
    private static func asking(place: Bool, guests: Bool) -> [IntentRegistration] {
        Self.invite { handler in
            handler.place = { said, _ in
                said.map { .success(with: $0) } ?? (place ? .needsValue() : .notRequired())
            }
            handler.guests = { said in
                guard said.isEmpty else { return said.map { .success(with: $0) } }
                return [guests ? .needsValue() : .notRequired()]
            }
        }
    }

    @Test("R44: a cancellation at a question that is no longer asked applies to the question asked instead")
    func cancelledAtAQuestionThatIsGone() async throws {
        let pipeline = try await SteppedPipeline(Self.asking(place: true, guests: false))
        try await pipeline.request("InviteIntent", "i1")
        try await pipeline.send(.interactionCancelled, about: "i1")
        #expect(try await pipeline.shadow(Self.asking(place: true, guests: true)).isSame)
        Self.expect(
            try await pipeline.shadow(Self.asking(place: false, guests: true)),
            "failure abortedByUser after needsValue:place",
            "failure abortedByUser after needsValue:guests"
        )
        Self.expect(
            try await pipeline.shadow(Self.asking(place: false, guests: false)),
            "failure abortedByUser after needsValue:place with nothing",
            "success nominal after nothing with invite"
        )
    }

    @Test("R13, R44: a timeout at a question that is no longer asked applies to the question asked instead")
    func timedOutAtAnotherQuestion() async throws {
        let pipeline = try await SteppedPipeline(Self.asking(place: true, guests: true))
        try await pipeline.request("InviteIntent", "i1")
        try await pipeline.answer(["value": "Opera"])
        try await pipeline.expire()
        #expect(try await pipeline.shadow(Self.asking(place: true, guests: true)).isSame)
        // The answer about the place is not needed any more; the first question is the one that was never answered.
        Self.expect(
            try await pipeline.shadow(Self.asking(place: false, guests: true)),
            "failure timeout after needsValue:place, needsValue:guests",
            "failure timeout after needsValue:guests with different place"
        )
    }

    @Test("R12, R44: what goes through a stage again finds there what was answered to it that time")
    func corrections() async throws {
        let rounds = Calls()
        func registrations(limit: Int64) -> [IntentRegistration] {
            Self.invite(confirmation: .always) { handler in
                handler.confirm = { context in
                    let round = try await context.run("round") { rounds.record() }
                    return IntentResponse(code: round > limit ? .failure : .ready)
                }
            }
        }
        let pipeline = try await SteppedPipeline(registrations(limit: 2))
        try await pipeline.request("InviteIntent", "i1", ["place": "Opera"])
        try await pipeline.answer(["action": "decline", "corrections": ["place": "Station"]])
        try await pipeline.answer(["action": "decline", "corrections": ["place": "Harbour"]])
        let same = try await pipeline.shadow(registrations(limit: 2))
        #expect(same.interactions == 1)
        #expect(same.isSame)
        Self.expect(
            try await pipeline.shadow(registrations(limit: 1)),
            "failure failed after intentConfirmation, intentConfirmation",
            "failure failed after intentConfirmation with different place"
        )
    }

    @Test("R20, R44: an answer about a value of a list is given to the question about that value, whatever its number")
    func valuesOfLists() async throws {
        func registrations(knowing known: Set<String> = []) -> [IntentRegistration] {
            Self.invite { handler in
                handler.guests = { said in
                    said.map { name in
                        name.hasSuffix("?") && !known.contains(name)
                            ? .disambiguation(with: ["Ann", "Bob"]) : .success(with: name)
                    }
                }
                handler.handle = { intent, context in
                    let names = (intent.guests ?? []).joined(separator: " and ")
                    _ = try await context.effect("invite \(names)") { _ in 1 }
                }
            }
        }
        let pipeline = try await SteppedPipeline(registrations())
        try await pipeline.request("InviteIntent", "i1", ["place": "Opera", "guests": ["A?", "B?"]])
        try await pipeline.answer(["value": "Ann"])
        try await pipeline.answer(["value": "Bob"])
        #expect(try await pipeline.shadow(registrations()).isSame)
        Self.expect(
            try await pipeline.shadow(registrations(knowing: ["A?"])),
            "success nominal after disambiguation:guests, disambiguation:guests with invite Ann and Bob",
            "success nominal after disambiguation:guests with invite A? and Bob with different guests"
        )
    }

    @Test("R13, R44: a prompt without an answer expires at the current deadline")
    func deadlines() async throws {
        var settings = RuntimeSettings()
        let pipeline = try await SteppedPipeline(Self.invite(), settings: settings)
        try await pipeline.request("InviteIntent", "i1")
        try await pipeline.expire()
        for timeout in [Duration.seconds(1), settings.promptTimeout, .seconds(3_600)] {
            settings.promptTimeout = timeout
            let report = try await pipeline.shadow(Self.invite(), settings: settings)
            #expect(report.interactions == 1)
            #expect(report.isSame, "\(timeout)")
        }
    }

    @Test("R44: a price that a confirmation shows is compared, though the end is the same")
    func priceInConfirmation() async throws {
        func registrations(price: Int64) -> [IntentRegistration] {
            Self.invite(confirmation: .always) { handler in
                handler.confirm = { _ in IntentResponse(code: .ready, details: ["price": .integer(price)]) }
            }
        }
        let pipeline = try await SteppedPipeline(registrations(price: 42))
        try await pipeline.request("InviteIntent", "i1", ["place": "Opera"])
        try await pipeline.answer(["action": "accept"])
        let same = try await pipeline.shadow(registrations(price: 42))
        #expect(same.interactions == 1)
        #expect(same.differing == 0, "\(same.groups)")
        let report = try await pipeline.shadow(registrations(price: 46))
        #expect(report.isSame)
        #expect(report.differing == 1)
        let group = try #require(report.groups.first { $0.kind == .details })
        #expect(group.path == "intentConfirmation: price")
        #expect(group.examples == [.init(then: 42, now: 46, interactions: ["i1"])])
        #expect(report.json["differences"]?.array?.contains { $0["kind"] == "details" && $0["now"] == 46 } == true)
    }

    @Test("R32, R44: a notice that it takes longer is not a difference")
    func noticesAreNotCompared() async throws {
        let pipeline = try await SteppedPipeline(Self.invite())
        pipeline.hangs = true
        try await pipeline.request("InviteIntent", "i1", ["place": "Opera"])
        try await pipeline.notify()
        try await pipeline.send(.interactionCancelled, about: "i1")
        let report = try await pipeline.shadow(Self.invite())
        #expect(report.interactions == 1)
        #expect(report.differing == 0, "\(report.groups)")
    }

    @Test("R44: an open interaction in which today's question was never answered is not open as it was")
    func openInteraction() async throws {
        func registrations(asksForPlace: Bool) -> [IntentRegistration] {
            Self.invite { handler in
                handler.place = { said, _ in
                    said.map { .success(with: $0) } ?? (asksForPlace ? .needsValue() : .notRequired())
                }
                handler.guests = { said in said.isEmpty ? [.needsValue()] : said.map { .success(with: $0) } }
            }
        }
        let pipeline = try await SteppedPipeline(registrations(asksForPlace: true))
        try await pipeline.request("InviteIntent", "i1")
        try await pipeline.answer(["value": "Opera"])
        let same = try await pipeline.shadow(registrations(asksForPlace: true))
        #expect(same.interactions == 1)
        #expect(same.isSame)
        Self.expectUnknown(
            try await pipeline.shadow(registrations(asksForPlace: false)),
            "asks needsValue:guests, which has no recorded answer"
        )
    }

    @Test("R37, R44: an interaction is played with the vocabulary that its user had then, and none once it was removed")
    func vocabularies() async throws {
        func registrations(unknown: String) -> [IntentRegistration] {
            Self.invite { handler in
                handler.place = { said, context in
                    let found = context.vocabularyMatches(
                        for: said ?? "",
                        type: .contactName,
                        parameter: "InviteIntent.place"
                    )
                    return .success(with: found.first?.identifier ?? unknown)
                }
            }
        }
        let pipeline = try await SteppedPipeline(registrations(unknown: "nowhere"))
        let home: JSONValue = ["spokenPhrase": "home", "vocabularyIdentifier": "Station Road 1"]
        try await pipeline.send(.vocabularyReplaced, ["type": "contactName", "strings": [home]])
        try await pipeline.request("InviteIntent", "i0", ["place": "home"])
        try await pipeline.send(.vocabularyRemoved)
        try await pipeline.request("InviteIntent", "i1", ["place": "home"])
        let same = try await pipeline.shadow(registrations(unknown: "nowhere"))
        #expect(same.interactions == 2)
        #expect(same.isSame)
        Self.expect(
            try await pipeline.shadow(registrations(unknown: "anywhere")),
            "success nominal",
            "success nominal with different place"
        )
    }

    /// Starts the same intent for a guest, and notifies the user.
    private static func inviteAndRemind(guest: String?, words: String) -> [IntentRegistration] {
        Self.invite { handler in
            handler.handle = { _, context in
                try context.notify("reminder", saying: ["en": words])
                guard let guest else { return }
                try context.start("theirs", InviteIntent(), for: guest)
                try context.cancelStarted("i0")
            }
        }
    }

    @Test("R44, R77: what handlers start and notify of is compared")
    func followUps() async throws {
        var settings = RuntimeSettings()
        settings.formats.writes = 2
        let pipeline = try await SteppedPipeline(
            Self.inviteAndRemind(guest: "bob", words: "Bring the card."),
            settings: settings
        )
        try await pipeline.request("InviteIntent", "i1", ["place": "Opera"])
        let same = try await pipeline.shadow(Self.inviteAndRemind(guest: "bob", words: "Bring the card."))
        #expect(same.interactions == 1)
        #expect(same.groups.isEmpty, "\(same.groups)")
        let others: [(today: [IntentRegistration], paths: [String])] = [
            (Self.inviteAndRemind(guest: "eve", words: "Bring the card."), [""]),
            (Self.inviteAndRemind(guest: nil, words: "Bring the card."), [""]),
            (Self.inviteAndRemind(guest: "bob", words: "Bring it."), ["notification:reminder: dialog"]),
            (Self.invite { $0.handle = { _, _ in } }, ["", "notification:reminder"]),
        ]
        for (today, paths) in others {
            let report = try await pipeline.shadow(today)
            #expect(report.differing == 1)
            #expect(report.isSame)
            #expect(report.groups.map(\.kind) == paths.map { _ in .followUps })
            #expect(report.groups.map(\.path) == paths)
        }
    }

    @Test("R44: of what began before the range, the interactions that ended in it are counted as left out")
    func leftOut() async throws {
        let pipeline = try await SteppedPipeline(Self.invite())
        // Four turns of each.
        for id in ["i0", "i1"] as [InteractionID] {
            try await pipeline.request("InviteIntent", id)
            try await pipeline.answer(["value": "Opera"])
        }
        try await pipeline.request("InviteIntent", "i2")
        let expected: [(range: Range<Int64>, interactions: Int, leftOut: Int)] = [
            (0..<9, 3, 0), (1..<9, 2, 1), (3..<8, 1, 1), (5..<9, 1, 1), (1..<3, 0, 0), (9..<9, 0, 0),
        ]
        for (range, interactions, leftOut) in expected {
            var selection = ReplaySelection()
            selection.fromOffset = range.lowerBound
            selection.toOffset = range.upperBound
            let report = try await pipeline.shadow(Self.invite(), selection)
            #expect((report.interactions, report.leftOut) == (interactions, leftOut), "\(range)")
            #expect(report.isSame, "\(range)")
        }
    }

    /// A log that gives at most so many records at a time.
    private struct SlowLog: ForwardingLog {
        private struct Reader: LogReader {
            let reader: any LogReader
            let limit: Int

            func next(maxRecords: Int, timeout: Duration) async throws(LogError) -> ReaderBatch {
                try await self.reader.next(maxRecords: min(maxRecords, self.limit), timeout: timeout)
            }

            func close() async { await self.reader.close() }
        }

        let log: InMemoryLog
        let limit: Int

        func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader {
            Reader(reader: try await self.log.makeReader(from: offsets), limit: self.limit)
        }
    }

    @Test("R44: however many interactions there are, 256 at most are gathered before they are played")
    func chunks() async throws {
        // Nobody supported the intent: each has one turn.
        let pipeline = try await SteppedPipeline([])
        for number in 0..<260 { try await pipeline.request("InviteIntent", "i\(number)", ["place": "Opera"]) }
        for (limit, expected) in [(256, [256: 0, 260: 256]), (255, [255: 0, 260: 0])] as [(Int, [Int64: Int64])] {
            let played = Calls()
            let seen = Mutex<[Int64: Int64]>([:])
            let today = Self.invite { handler in handler.handle = { _, _ in played.record() } }
            let report = try await pipeline.shadow(today, on: SlowLog(log: pipeline.log, limit: limit)) { done, _ in
                seen.withLock { $0[done] = played.count }
            }
            #expect(seen.withLock(\.self) == expected)
            #expect(played.count == 260)
            #expect(report.interactions == 260)
            #expect(report.differing == 260)
        }
    }
}
