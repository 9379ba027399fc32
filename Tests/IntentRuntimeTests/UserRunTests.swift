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
        let note = try #require(input.parkingNote(at: Timestamp(milliseconds: 0), environment))
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
        ) { _ in }
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
        ) { _ in }
        #expect(await run.execute(on: BatchExecution.WorkerTask()))
        let outcome = run.close()
        #expect(outcome.overtakesAgainAt == Timestamp(milliseconds: 100))
        #expect(outcome.queue.count == 3)
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
