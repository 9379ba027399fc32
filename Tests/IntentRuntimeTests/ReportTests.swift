import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("R74: a running handler reports its progress")
struct ReportTests {
    private final class Switch: Sendable {
        private let state = Mutex(false)

        var isOn: Bool { self.state.withLock(\.self) }

        func turnOn() { self.state.withLock { $0 = true } }
    }

    /// Reports all the time, until it may end.
    private struct ReportingHandler: IntentHandler {
        let end: Switch

        var handling: Handling<GreetIntent> {
            Confirm { _, context in
                context.report(0.1, "Nobody sees this.")
                return IntentResponse(code: .ready)
            }
            Handle { intent, context in
                while !self.end.isOn {
                    try Task.checkCancellation()
                    context.report(0.5, ["en": "Half of it", "de": "Die Hälfte"])
                    await Task.yield()
                }
                return self.greeting(intent)
            }
        }
    }

    private static func run(
        every: Duration,
        _ body: (Pipeline, Switch, [IntentRegistration]) async throws -> Void
    ) async throws {
        let end = Switch()
        defer { end.turnOn() }
        var settings = RuntimeSettings()
        settings.reportEvery = every
        settings.inProgressAfter = .seconds(3_600)
        let registrations = [IntentRegistration(usesLedger: false) { ReportingHandler(end: end) }]
        try await Pipeline.with(registrations, settings: settings) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Ada"], subject: "i1", extra: ["locale": "de-AT"])
            try await body(pipeline, end, registrations)
        }
    }

    @Test("One report reaches the user in the time between two, in the user's language; then the result")
    func oneASecond() async throws {
        try await Self.run(every: .seconds(3_600)) { pipeline, end, _ in
            let report = try await pipeline.next(of: "i1")
            #expect(report.data["status"] == "inProgress" && report.data["terminal"] == false)
            #expect(report.data["progress"] == ["fraction": 0.5, "text": "Die Hälfte"])
            end.turnOn()
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["terminal"] == true && response.data["status"] == "success")
            #expect(response.data["progress"] == nil)
        }
    }

    @Test("Nothing is reported after the end, and each report has a different id")
    func nothingAfterTheEnd() async throws {
        try await Self.run(every: .milliseconds(1)) { pipeline, end, _ in
            for _ in 0..<3 { #expect(try await pipeline.next(of: "i1").data["progress"] != nil) }
            end.turnOn()
            _ = try await pipeline.end(of: "i1")
            let responses = try await pipeline.records(of: .responses).filter { $0.header("ce_subject") == "i1" }
            let last = try #require(responses.last)
            #expect(try JSONValue(parsing: last.value ?? [])["terminal"] == true)
            #expect(Set(responses.map { $0.header("ce_id") }).count == responses.count)
        }
    }

    @Test("R42: reports, and the turn that made them, replay to the same bytes")
    func reportReplays() async throws {
        try await Self.run(every: .milliseconds(1)) { pipeline, end, registrations in
            for _ in 0..<3 { _ = try await pipeline.next(of: "i1") }
            end.turnOn()
            _ = try await pipeline.end(of: "i1")
            let results = try await pipeline.replayAll(registrations)
            #expect(results.allSatisfy { $0.isMatch })
            let notes = results.compactMap(\.record).filter { $0.note != nil }
            #expect(notes.count >= 3)
            #expect(notes.allSatisfy { $0.note == .report(fraction: 0.5, text: "Die Hälfte") })
            #expect(notes.allSatisfy { $0.outcome == .reported && !$0.isParkingNote && $0.isOfRunningTurn })
        }
    }

    /// Keeps the notes that it gets.
    private final class Listener: NoteReceiver {
        let isParked: Bool
        private let state = Mutex<[TurnNote]>([])

        init(isParked: Bool = true) { self.isParked = isParked }

        var notes: [TurnNote] { self.state.withLock(\.self) }

        func receive(_ note: TurnNote) -> Bool {
            self.state.withLock { $0.append(note) }
            return self.isParked
        }

        func receive(_ note: TurnNote, _ commit: NoteCommit) {
            commit.end(self.receive(note) ? .committed : .dropped)
        }
    }

    private static func host(_ listener: Listener, in stage: Stage = .handle, clock: ManualClock) throws -> LiveTurnHost
    {
        LiveTurnHost(
            environment: try StageEnvironment.tests(stage, clock: clock),
            identifiers: TurnIdentifiers(
                deployment: "d",
                stage: stage,
                position: RecordPosition(stage.inputTopic, 0, 1)
            ),
            attempt: 1,
            interaction: .greeting(),
            user: "u1",
            source: StateTable().source(user: "u1"),
            notes: listener
        )
    }

    @Test("A fraction is from 0 to 1, a text has 1,024 bytes at most, without a part of a character")
    func boundsReports() throws {
        let clock = ManualClock()
        let listener = Listener()
        let host = try Self.host(listener, clock: clock)
        for fraction in [-1, 2, .nan, 0.25] as [Double] {
            host.report(fraction, String(repeating: "€", count: 400))
            clock.advance(by: .seconds(1))
        }
        let text = String(repeating: "€", count: 341)
        #expect(
            listener.notes == [0, 1, nil, 0.25].map { TurnNote.report(fraction: $0, text: text) }
        )
    }

    @Test("A report that comes too early for the lane does not delay the next one; a thousand reach the user at most")
    func countsReportsOnTheirWay() throws {
        let clock = ManualClock()
        let early = Listener(isParked: false)
        let host = try Self.host(early, clock: clock)
        for _ in 0..<3 { host.report(nil, "a") }
        #expect(early.notes.count == 3)
        let listener = Listener()
        let parked = try Self.host(listener, clock: clock)
        for _ in 0..<1_005 {
            parked.report(nil, "a")
            parked.report(nil, "b")
            clock.advance(by: .seconds(1))
        }
        #expect(listener.notes == Array(repeating: TurnNote.report(fraction: nil, text: "a"), count: 1_000))
        let elsewhere = Listener()
        try Self.host(elsewhere, in: .confirm, clock: clock).report(0.5, nil)
        #expect(elsewhere.notes.isEmpty)
    }
}
