import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("A user's events of a batch")
struct UserRunTests {
    @Test(
        "R5, R8: the journal of a parked turn names the request that intentd names, never one that a client does",
        arguments: [
            (EventType.intentRequested, "application/cloudevents+json", false), (.intentRequested, "0:7", false),
            (.promptAnswered, "0:7", false), (.intentResolved, "0:7", true),
        ]
    )
    func journalIgnoresRequestNamedByClient(type: EventType, request: String, isNamed: Bool) throws {
        let environment = try StageEnvironment.tests(.confirm, clock: ManualClock())
        let event = Event(
            id: "e1",
            source: "/tests",
            type: type,
            time: Timestamp(milliseconds: 0),
            subject: "i1",
            userID: "u1",
            request: RequestID(request),
            data: ["intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
        )
        let input = TurnInput(event.stored(on: .resolved))
        let note = try #require(
            input.parkingNote(at: .init(milliseconds: 0), request: input.request(of: "i1") { _ in nil }, environment)
        )
        #expect(note.record.request == (isNamed ? RequestID(request) : nil))
    }

    @Test(
        "R1, R5: a running turn is parked by the batch, except where its user is not at home",
        arguments: [false, true]
    )
    func parksOnlyAtHome(isAtHome: Bool) async throws {
        let clock = ManualClock()
        let environment = try StageEnvironment.tests(
            .resolve,
            [IntentRegistration { GreetHandler() }],
            partitions: 4,
            clock: clock
        )
        let home = HomePartition.of(user: "u1", count: 4)
        let event = Event(
            id: "e1",
            source: "/tests",
            type: .intentRequested,
            time: Timestamp(milliseconds: 0),
            subject: "i1",
            userID: "u1",
            data: ["intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
        )
        let batch = PartitionBatch(environment: environment, partition: 0, chain: "")
        let run = UserRun(
            user: "u1",
            items: [.event(TurnInput(event.stored(on: .requests, partition: isAtHome ? home : (home + 1) % 4)))],
            environment: environment,
            table: StateTable(),
            looksInQueue: false,
            batch: batch
        )
        // A turn first looks at the time in the middle of it.
        clock.onNow = { [weak run] in
            clock.onNow = nil
            _ = run?.park(after: .zero, now: environment.clock.uptime)
        }
        let worker = BatchExecution.WorkerTask()
        #expect(await run.execute(on: worker) != isAtHome, "A turn that was parked ends for itself.")
        let outcome = run.close()
        let journaled = batch.finish().records.filter { $0.topicPartition.topic == "intents.journal" }
            .map { TurnRecord($0.content)?.outcome }
        #expect(journaled == (isAtHome ? [.parked] : [.forwarded]))
        #expect(outcome.writes.isEmpty != isAtHome)
    }

    @Test(
        "R5: of the overtaking events that are retried later, the earliest decides when the lane looks again",
        arguments: [
            [100, 200, 300], [100, 300, 200], [200, 100, 300], [200, 300, 100], [300, 100, 200], [300, 200, 100],
        ]
    )
    func earliestRetryDecidesNextLook(retries: [Int64]) async throws {
        let environment = try StageEnvironment.tests(.handle, clock: ManualClock())
        let start = Timestamp(milliseconds: 0)
        func turn(_ type: EventType, _ data: JSONValue, on topic: Topic) -> ParkedTurn {
            let event = Event(
                id: "e1",
                source: "/tests",
                type: type,
                time: start,
                subject: "i1",
                userID: "u1",
                data: data
            )
            return ParkedTurn(event: event.stored(on: topic), interactionID: "i1", startedAt: start, timeoutAt: start)
        }
        let table = StateTable()
        let request = turn(.intentConfirmed, ["intent": ["name": "GreetIntent"]], on: .confirmed)
        table.set(StateName.parked, user: "u1", entry: StateEntry(request))
        var queue = WaitingQueue()
        for retry in retries {
            var timer = turn(.timerFired, ["what": "timeout"], on: .signals)
            timer.retryAt = Timestamp(milliseconds: retry)
            table.set(StateName.queued(queue.append(.urgent)), user: "u1", entry: StateEntry(timer))
        }
        let run = UserRun(
            user: "u1",
            items: [],
            environment: environment,
            table: table,
            queue: queue,
            looksInQueue: true,
            batch: PartitionBatch(environment: environment, partition: 0, chain: "")
        )
        #expect(await run.execute(on: BatchExecution.WorkerTask()))
        let outcome = run.close()
        #expect(outcome.overtakesAgainAt == Timestamp(milliseconds: 100))
        #expect(outcome.queue.count == 3)
    }

    @Test("R74: a note of the parked turn is a continuation: the turn stays parked, and needs no notice any more")
    func noteContinuesParkedTurn() async throws {
        let environment = try StageEnvironment.tests(
            .handle,
            [IntentRegistration { GreetHandler() }],
            clock: ManualClock()
        )
        let start = Timestamp(milliseconds: 0)
        let stored = StillTurn.stored(
            .intentConfirmed,
            ["interaction": Interaction.greeting().json, "user": ["id": "u1"]],
            on: .confirmed
        )
        var parked = ParkedTurn(event: stored, interactionID: "i1", startedAt: start, timeoutAt: start + 300_000)
        parked.generation = 3
        parked.inProgressAt = start + 2_000
        let table = StateTable()
        table.set(StateName.parked, user: "u1", entry: StateEntry(parked))
        let batch = PartitionBatch(environment: environment, partition: 0, chain: "")
        let outcome = await UserRun.outcome(
            of: [.note(.report(fraction: 0.5, text: nil), nil), .note(.report(fraction: 0.6, text: nil), nil)],
            table,
            batch: batch,
            in: environment
        )
        let written = try #require((outcome.writes[StateName.parked] ?? nil)?.form(ParkedTurn.self))
        #expect(written.event == stored && written.attempt == 1 && written.timeoutAt == parked.timeoutAt)
        #expect(written.generation == 5 && written.inProgressAt == nil)
        #expect(!outcome.endedParked)
        let records = batch.finish().records
        #expect(records.compactMap { TurnRecord($0.content)?.generation } == [4, 5])
    }

    @Test("R74: a step is kept in the parked turn, whose time limit counts from it up to the age of the interaction")
    func stepIsKeptInParkedTurn() async throws {
        let now = Timestamp(milliseconds: 100_000)
        func run(maxAge: Duration, _ value: JSONValue) async throws -> (ParkedTurn?, [NoteCommit]) {
            var settings = RuntimeSettings()
            settings.maxAge = maxAge
            settings.formats = RecordFormats(reads: 1...2, writes: 2)
            let environment = try StageEnvironment.tests(
                .handle,
                [IntentRegistration { GreetHandler() }],
                settings: settings,
                clock: ManualClock(at: now)
            )
            let stored = StillTurn.stored(
                .intentConfirmed,
                ["interaction": Interaction.greeting().json, "user": ["id": "u1"]],
                on: .confirmed
            )
            var parked = ParkedTurn(
                event: stored,
                interactionID: "i1",
                startedAt: StillTurn.start,
                timeoutAt: StillTurn.start + 150_000
            )
            parked.inProgressAt = now + 1
            parked.steps = [CommittedStep(name: "first", ordinal: 0, value: 1)]
            let table = StateTable()
            table.set(StateName.parked, user: "u1", entry: StateEntry(parked))
            let step = CommittedStep(name: "second", ordinal: 0, value: value)
            let outcome = await UserRun.outcome(of: [.note(.step(step), NoteCommit())], table, in: environment)
            return ((outcome.writes[StateName.parked] ?? nil)?.form(ParkedTurn.self), outcome.commits)
        }
        let (parked, commits) = try await run(maxAge: .seconds(86_400), "b")
        #expect(parked?.steps.map(\.name) == ["first", "second"] && parked?.steps.last?.value == "b")
        #expect(parked?.timeoutAt == now + 300_000 && parked?.inProgressAt == now + 1)
        #expect(parked?.generation == 1 && commits.count == 1)
        #expect(try await run(maxAge: .seconds(200), "b").0?.timeoutAt == StillTurn.start + 200_000)
        #expect(try await run(maxAge: .seconds(110), "b").0?.timeoutAt == StillTurn.start + 150_000)
        let (nothing, none) = try await run(
            maxAge: .seconds(200),
            .string(String(repeating: "b", count: RecordLimits.value))
        )
        #expect(nothing == nil && none.isEmpty)
    }

    @Test("R57, R74: a parked turn with steps is of format 2, also where a worker writes format 1", arguments: [0, 1])
    func marksParkedTurnWithSteps(steps: Int) async throws {
        let environment = try StageEnvironment.tests(
            .handle,
            [IntentRegistration { GreetHandler() }],
            clock: ManualClock(at: StillTurn.start)
        )
        let stored = StillTurn.stored(
            .intentConfirmed,
            ["interaction": Interaction.greeting().json, "user": ["id": "u1"]],
            on: .confirmed
        )
        let start = StillTurn.start
        var parked = ParkedTurn(event: stored, interactionID: "i1", startedAt: start, timeoutAt: start + 300_000)
        parked.inProgressAt = start
        for ordinal in 0..<steps { parked.steps.append(CommittedStep(name: "a", ordinal: ordinal, value: 1)) }
        let table = StateTable()
        table.set(StateName.parked, user: "u1", entry: StateEntry(parked))
        let timer = Self.timer(.inProgress, of: parked, deadline: start)
        let batch = PartitionBatch(environment: environment, partition: 0, chain: "")
        _ = await UserRun.outcome(of: [.event(TurnInput(timer))], table, batch: batch, in: environment)
        let state = environment.topicPartition(.state, 0)
        let formats = batch.finish().records.filter { $0.topicPartition == state }
            .map { RecordFormats.format(of: $0.content, on: .state) }
        #expect(formats == [steps == 0 ? 1 : 2])
    }

    /// The event of a deadline of a parked turn.
    private static func timer(_ kind: TimerKind, of parked: ParkedTurn, deadline: Timestamp) -> StoredRecord {
        let data: JSONValue = [
            "attempt": .integer(Int64(parked.attempt)), "deadline": .string("\(deadline)"),
            "position": .string("\(parked.event.position)"), "user": ["id": "u1"], "what": .string(kind.rawValue),
        ]
        return StillTurn.stored(.timerFired, data, on: .signals, offset: 9)
    }

    /// A ledger that another turn has closed.
    private struct ClosedLedger: EffectLedger {
        let identifier = "closed"

        private func refuse() -> LedgerClosedError {
            LedgerClosedError(EffectKey(request: "0:7", name: "", ordinal: 0))
        }

        func perform(
            _ key: EffectKey,
            _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
        ) async throws -> JSONValue { throw self.refuse() }

        func close(
            request: String,
            origin: String,
            identity: RequestIdentity?,
            unlessEffects: Bool
        ) async throws -> Bool { throw self.refuse() }

        func effects(origin: String) async throws -> [String] { [] }

        func lastRequest(inPartition partition: Int) async throws -> Int64? { nil }

        func read(_ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue) async throws -> JSONValue {
            .null
        }
    }

    @Test("R9: an event about the parked turn that has no result waits in the queue; the parked turn keeps its place")
    func overtakingTurnWithoutResultWaits() async throws {
        let start = StillTurn.start
        let environment = try StageEnvironment.tests(
            .handle,
            [IntentRegistration { GreetHandler() }],
            ledger: ClosedLedger(),
            clock: ManualClock(at: start)
        )
        let stored = StillTurn.stored(
            .intentConfirmed,
            ["interaction": Interaction.greeting().json, "user": ["id": "u1"]],
            on: .confirmed
        )
        let parked = ParkedTurn(event: stored, interactionID: "i1", startedAt: start, timeoutAt: start)
        let table = StateTable()
        table.set(StateName.parked, user: "u1", entry: StateEntry(parked))
        let timer = Self.timer(.timeout, of: parked, deadline: start)
        let outcome = await UserRun.outcome(of: [.event(TurnInput(timer))], table, in: environment)
        let retryAt = start + RetryPolicy.standard.longest.milliseconds
        #expect(outcome.overtakesAgainAt == retryAt && outcome.queue.count == 1 && !outcome.endedParked)
        #expect(outcome.writes[StateName.parked] == nil)
        let queued = (outcome.writes[StateName.queued(0)] ?? nil).flatMap { ParkedTurn(text: $0.text) }
        #expect(queued?.event == timer && queued?.retryAt == retryAt)
    }

    @Test("R6: what is added and removed within a batch gets no tombstone on the topic `state`")
    func temporaryEntriesWriteNoTombstone() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }], settings: .unhurried) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "nominal")
            let state = try await pipeline.records(of: .state)
            #expect(state.contains { $0.key.flatMap(StateKey.init)?.name == StateName.known("i1") })
            let users = state.filter { $0.key.flatMap(StateKey.init)?.user.isEmpty == false }
            #expect(users.allSatisfy { $0.value != nil })
        }
    }
}
