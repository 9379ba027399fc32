import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R82, R93: what operators do")
struct OperatorActTests {
    private static let deployment = Deployment(id: "d", prefix: "intents", partitions: 4)

    private static func act(_ kind: OperatorAct.Kind) -> OperatorAct {
        var act = OperatorAct(kind, by: OperatorAct.Operator("ada", via: "terminal", reason: "a double charge"))
        act.user = "u1"
        act.interaction = "i1"
        act.request = "0:7"
        act.target = "t"
        act.details = ["count": 2]
        return act
    }

    @Test("An act is read as it was written, whatever it is about", arguments: OperatorAct.Kind.allCases)
    func readsWhatWasWritten(_ kind: OperatorAct.Kind) throws {
        for isAboutUser in [true, false] {
            var act = Self.act(kind)
            if !isAboutUser { (act.user, act.interaction, act.request) = (nil, nil, nil) }
            let record = act.record(of: Self.deployment, now: StillTurn.start)
            #expect(record.topicPartition.topic == Topic.signals.name(prefix: "intents"))
            #expect(record.topicPartition.partition == Self.deployment.home(of: act.user ?? OperatorAct.nobody))
            let log = LogRecord(topicPartition: record.topicPartition, offset: 3, timestamp: 0, content: record.content)
            let event = try StoredRecord(log, topic: .signals).decoded()
            #expect(OperatorAct(event) == act)
            #expect(event.stage == (kind.isForStages ? .resolve : nil))
        }
    }

    @Test("An event of another type, and an act without a name or of an unknown kind, is none")
    func refusesOtherEvents() throws {
        let whole: JSONObject = ["act": "cancel", "by": "ada", "via": "terminal", "user": ["id": "u1"]]
        func event(_ type: EventType, _ data: JSONObject) throws -> Event {
            try StillTurn.stored(type, .object(data), on: .signals).decoded()
        }
        #expect(OperatorAct(try event(.operatorActed, whole)) != nil)
        #expect(OperatorAct(try event(.timerFired, whole)) == nil)
        let bad: [(String, JSONValue?)] = [
            ("by", nil), ("act", nil), ("act", "dance"), ("by", .string(String(repeating: "a", count: 129))),
            ("reason", .string(String(repeating: "a", count: 1_025))),
        ]
        for (name, value) in bad {
            var data = whole
            data[name] = value
            #expect(OperatorAct(try event(.operatorActed, data)) == nil)
        }
    }

    @Test(
        "Only the users under whom acts about nobody are kept are nobody",
        arguments: [
            ("intentd.operators", nil), ("intentd.operators/0", nil), ("intentd.operators/17", nil),
            ("intentd.operators-team", "intentd.operators-team"), ("intentd.operators/", "intentd.operators/"),
            ("intentd.operators/1a", "intentd.operators/1a"),
        ] as [(UserID, UserID?)]
    )
    func tellsUsersApart(_ user: UserID, _ expected: UserID?) throws {
        let data: JSONValue = ["act": "cancel", "by": "ada", "via": "terminal", "user": ["id": user.json]]
        let event = try StillTurn.stored(.operatorActed, data, on: .signals, user: user).decoded()
        #expect(try #require(OperatorAct(event)).user == expected)
    }

    // MARK: In a stage

    private static let stored = StillTurn.stored(
        .operatorActed,
        ["act": "retry", "by": "ada", "via": "terminal", "user": ["id": "u1"]],
        on: .confirmed,
        offset: 90
    )

    private static func table(_ change: (inout ParkedTurn) -> Void) -> StateTable {
        let data: JSONValue = ["interaction": Interaction.greeting().json, "user": ["id": "u1"]]
        var parked = ParkedTurn(
            event: StillTurn.stored(.intentConfirmed, data, on: .confirmed),
            interactionID: "i1",
            startedAt: StillTurn.start,
            timeoutAt: StillTurn.start + 300_000
        )
        change(&parked)
        let table = StateTable()
        table.set(.parked, user: "u1", entry: StateEntry(parked))
        return table
    }

    @Test("R82c: a parked turn that waits for its attempt begins it; one that runs is left alone")
    func retriesParkedTurn() async throws {
        let waiting = Self.table {
            ($0.attempt, $0.retryAt, $0.failedAt) = (3, StillTurn.start + 4_000, StillTurn.start + -2_000)
        }
        let begun = try #require(try await StillTurn.run(Self.stored, in: .handle, [], waiting))
        #expect(begun.record.outcome == .parked && begun.outputs.isEmpty)
        // So the turn is one of the interaction's.
        #expect(begun.record.interactionID == "i1" && begun.record.request == "0:7")
        let parked = try #require(begun.written(.parked, ParkedTurn.self))
        #expect(parked.retryAt == nil && parked.failedAt == nil && parked.attempt == 3)
        // R80e: it has waited until now, not as long as planned.
        let waited = InteractionTime(state: .retrying, since: StillTurn.start + -2_000, until: begun.record.at)
        #expect(begun.awaited == waited)
        let running = Self.table { $0.attempt = 2 }
        let refused = try #require(try await StillTurn.run(Self.stored, in: .handle, [], running))
        #expect(refused.record.outcome == .rejected && refused.writes.isEmpty)
        let rejection = try #require(try refused.data(of: .eventRejected))
        #expect(rejection["reason"] == "late")
        #expect(rejection["detail"]?.string?.contains("attempt 2 is running") == true)
    }

    @Test("R82c: where nothing is to be tried again, the act is rejected, and nothing changes")
    func refusesOtherRetries() async throws {
        let none = try #require(try await StillTurn.run(Self.stored, in: .handle))
        #expect(try none.data(of: .eventRejected)?["reason"] == "unknown")
        var interaction = Interaction.greeting()
        interaction.appDeadline = StillTurn.start + 60_000
        let table = StateTable()
        table.set(.interaction("0:7"), user: "u1", entry: StateEntry(interaction))
        let known = KnownInteraction(interaction, at: StillTurn.start, whereabouts: .here)
        table.set(.known("i1"), user: "u1", entry: StateEntry(known))
        let waits = try #require(try await StillTurn.run(Self.stored, in: .handle, [], table))
        #expect(
            try waits.data(of: .eventRejected)?["detail"]?.string?.contains("waits for the user or the app") == true
        )
        #expect(waits.writes.isEmpty)
    }

    @Test("An act of which this version knows nothing is rejected in every stage", arguments: Stage.allCases)
    func rejectsUnknownActs(_ stage: Stage) async throws {
        let stored = StillTurn.stored(.operatorActed, ["act": "dance", "user": ["id": "u1"]], on: .signals)
        let result = try #require(try await StillTurn.run(stored, in: stage))
        #expect(try result.data(of: .eventRejected)?["reason"] == "invalid")
    }

    @Test("R14: an act that a client has written to requests is ignored", arguments: OperatorAct.Kind.allCases)
    func ignoresClientsActs(_ kind: OperatorAct.Kind) async throws {
        let data: JSONValue = ["act": .string(kind.rawValue), "by": "eve", "user": ["id": "u1"]]
        let stored = StillTurn.stored(.operatorActed, data, on: .requests)
        let table = Self.table { $0.retryAt = StillTurn.start + 4_000 }
        let result = try #require(try await StillTurn.run(stored, in: .resolve, [], table))
        #expect(result.record.outcome == .ignored && result.writes.isEmpty && result.outputs.isEmpty)
    }
}
