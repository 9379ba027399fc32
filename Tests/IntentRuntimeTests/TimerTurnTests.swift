import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("R13: a timer acts when its entry's deadline has come, and once")
struct TimerTurnTests {
    /// A journey of one step.
    private struct TravellingHandler: IntentHandler {
        var isLast = false

        var handling: Handling<GreetIntent> {
            Handle { intent, _ in self.greeting(intent) }
            UpdateStatus(every: .seconds(10), for: .seconds(60)) { _, _ in
                StatusUpdate(IntentResponse(code: .success, details: ["step": 1]), isLast: self.isLast)
            }
        }
    }

    private static let due = Timestamp(milliseconds: 5_000)
    /// All kinds but the one whose deadline is the beginning of time.
    private static let kinds = TimerKind.allCases.filter { $0 != .unreadable }

    private static func followUp(at deadline: Timestamp) -> ScheduledFollowUp {
        var followUp = ScheduledFollowUp(
            FollowUpList.Element(
                followUp: FollowUp("again", .notification(["n": 1]), dialog: "Now."),
                id: "i1+again-1"
            ),
            of: .greeting(["name": "Ann"])
        )
        followUp.at = deadline
        return followUp
    }

    /// The interaction's event before the stage `handle`.
    private static let confirmed = StillTurn.stored(
        .intentConfirmed,
        ["interaction": Interaction.greeting(["name": "Ann"]).json, "user": ["id": "u1"]],
        on: .confirmed
    )

    /// An entry with a deadline of that kind, and with others far away.
    private static func entry(_ kind: TimerKind, at deadline: Timestamp) -> (name: StateName, entry: StateEntry) {
        let later = Self.due + 60_000
        var interaction = Interaction.greeting(["name": "Ann"])
        var parked = ParkedTurn(
            event: Self.confirmed,
            interactionID: "i1",
            startedAt: StillTurn.start,
            timeoutAt: later
        )
        switch kind {
        case .prompt: interaction.prompt = Prompt(number: 1, kind: .needsValue, parameter: "name", expiresAt: deadline)
        case .app: interaction.appDeadline = deadline
        case .resume:
            var wait = HandleWait(
                .paused,
                at: later,
                attempts: 0,
                firstTriedAt: StillTurn.start,
                position: Self.confirmed.position
            )
            wait.heldAt = deadline
            wait.pause = Pause(.intent("GreetIntent"), id: "e1", since: StillTurn.start, by: "ada")
            interaction.waiting = wait
        case .again:
            interaction.waiting = HandleWait(
                at: deadline,
                attempts: 3,
                firstTriedAt: StillTurn.start,
                position: Self.confirmed.position
            )
        case .undo:
            let left = [MadeEffect(name: "greet", ordinal: 0)]
            let response = HandlerResponse(code: "failure")
            interaction.undoing = Undoing(left, before: .failed, response: response, at: deadline)
        case .inProgress: parked.inProgressAt = deadline
        case .timeout: parked.timeoutAt = deadline
        case .retry: parked.retryAt = deadline
        case .status:
            let followed = FollowedInteraction(interaction: interaction, reported: [:], dueAt: deadline, until: later)
            return (.followed("0:7"), StateEntry(followed))
        case .followUp: return (.followUp("i1+again-1"), StateEntry(Self.followUp(at: deadline)))
        case .unreadable: break
        }
        let isOfInteraction = [.prompt, .app, .again, .undo, .resume].contains(kind)
        return isOfInteraction ? (.interaction("0:7"), StateEntry(interaction)) : (.parked, StateEntry(parked))
    }

    /// The event of a timer that fires at the deadline of the tests.
    private static func timer(_ kind: TimerKind, of position: RecordPosition = Self.confirmed.position) -> StoredRecord
    {
        var data: JSONObject = [
            "deadline": .string("\(Self.due)"), "user": ["id": "u1"], "what": .string(kind.rawValue),
        ]
        if kind == .prompt { data["promptId"] = "i1/r/1" }
        if kind == .followUp { data["entry"] = "l/i1+again-1" }
        if ![.app, .status, .again, .followUp, .undo, .resume].contains(kind) {
            (data["attempt"], data["position"]) = (1, .string("\(position)"))
        }
        return StillTurn.stored(.timerFired, .object(data), on: .signals, offset: 9)
    }

    /// Runs a timer's turn at a time; the entry has that deadline.
    private static func fire(
        _ kind: TimerKind,
        at now: Timestamp,
        deadline: Timestamp = Self.due
    ) async throws -> (result: TurnResult, name: StateName) {
        let table = StateTable()
        let (name, entry) = Self.entry(kind, at: deadline)
        table.set(name, user: "u1", entry: entry)
        let stage = kind == .prompt || kind == .followUp ? Stage.resolve : .handle
        let registrations = [IntentRegistration { TravellingHandler() }]
        let result = try #require(try await StillTurn.run(Self.timer(kind), in: stage, registrations, table, at: now))
        return (result, name)
    }

    @Test("before its time it does nothing, and has the lane wait for its entry again", arguments: Self.kinds)
    func tooEarly(kind: TimerKind) async throws {
        let (result, name) = try await Self.fire(kind, at: Self.due + -1)
        #expect(result.record.outcome == .ignored)
        #expect(result.writes.isEmpty && result.outputs.isEmpty)
        #expect(result.earlyTimers == [name])
    }

    @Test("at its time it acts, and its entry has that deadline no more", arguments: Self.kinds)
    func inTime(kind: TimerKind) async throws {
        let (result, name) = try await Self.fire(kind, at: Self.due)
        let expected: (outcome: TurnOutcome, event: EventType?) =
            switch kind {
            case .prompt, .app, .timeout, .again, .undo, .resume: (.ended, .intentResponded)
            case .inProgress: (.reported, .intentResponded)
            case .retry: (.parked, nil)
            case .status: (.reported, .statusUpdated)
            case .followUp: (.noted, .userNotified)
            case .unreadable: (.ignored, nil)
            }
        #expect(result.record.outcome == expected.outcome)
        #expect(result.events.first == expected.event)
        #expect(result.earlyTimers.isEmpty)
        #expect(result.endsParked == (kind == .timeout))
        let written = try #require(result.writes[name])
        let timers = written.map { PendingTimer.timers(in: $0, name: name, user: "u1") } ?? []
        #expect(!timers.contains { $0.kind == kind && $0.deadline == Self.due })
    }

    @Test("where its entry has another deadline by now, it does nothing", arguments: Self.kinds)
    func outdated(kind: TimerKind) async throws {
        for deadline in [Self.due + -1, Self.due + 1] {
            let (result, _) = try await Self.fire(kind, at: Self.due + 1, deadline: deadline)
            #expect(result.record.outcome == .ignored, "\(deadline)")
            #expect(result.writes.isEmpty && result.outputs.isEmpty && result.earlyTimers.isEmpty, "\(deadline)")
        }
    }

    @Test("Status updates: the first call is after the interval, the last one within the duration or when it is over")
    func newsEndInTime() async throws {
        let registrations = [IntentRegistration { TravellingHandler() }]
        let end = try #require(try await StillTurn.run(Self.confirmed, in: .handle, registrations, at: Self.due))
        let first = try #require(end.written(.followed("0:7"), FollowedInteraction.self))
        #expect(first.dueAt == Self.due + 10_000 && first.until == Self.due + 60_000)
        for (isLast, left, continues) in [(false, 10_000, true), (false, 9_999, false), (true, 60_000, false)] {
            let table = StateTable()
            let followed = FollowedInteraction(
                interaction: first.interaction,
                reported: [:],
                dueAt: Self.due,
                until: Self.due + Int64(left)
            )
            table.set(.followed("0:7"), user: "u1", entry: StateEntry(followed))
            let registrations = [IntentRegistration { TravellingHandler(isLast: isLast) }]
            let result = try #require(
                try await StillTurn.run(Self.timer(.status), in: .handle, registrations, table, at: Self.due)
            )
            let next = result.written(.followed("0:7"), FollowedInteraction.self)
            #expect(next?.dueAt == (continues ? Self.due + 10_000 : nil), "\(isLast), \(left)")
            #expect(result.writes[.followed("0:7")] != nil)
        }
    }

    @Test("Status updates: a call that takes too long is cancelled, and the next one follows after the interval")
    func newsGoOnAfterOneThatHangs() async throws {
        let look = StillTurn.stored(
            .timerFired,
            ["deadline": .string("\(StillTurn.start)"), "user": ["id": "u1"], "what": "status"],
            on: .signals,
            offset: 8
        )
        let table = StateTable()
        let followed = FollowedInteraction(
            interaction: .greeting(["name": "Ann"]),
            reported: ["step": 0],
            dueAt: StillTurn.start,
            until: Self.due + 60_000
        )
        table.set(.followed("0:7"), user: "u1", entry: StateEntry(followed))
        let parked = ParkedTurn(event: look, interactionID: "i1", startedAt: StillTurn.start, timeoutAt: Self.due)
        table.set(.parked, user: "u1", entry: StateEntry(parked))
        let registrations = [IntentRegistration { TravellingHandler() }]
        let timer = Self.timer(.timeout, of: look.position)
        let result = try #require(
            try await StillTurn.run(timer, in: .handle, registrations, table, at: Self.due + 7)
        )
        #expect(result.endsParked && result.writes[.parked] == .some(nil))
        let next = try #require(result.written(.followed("0:7"), FollowedInteraction.self))
        #expect(next.dueAt == Self.due + 10_007 && next.reported == ["step": 0])
    }
}
