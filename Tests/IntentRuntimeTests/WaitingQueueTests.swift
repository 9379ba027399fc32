import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("The queue behind a parked turn (R5)")
struct WaitingQueueTests {
    @Test("waiting → dequeued: in order, by numbers that grow until nothing waits")
    func dequeuesInOrder() {
        var queue = WaitingQueue()
        #expect(queue.isEmpty && queue.first == nil && queue.head(4).isEmpty)
        let numbers = (0..<5).map { _ in queue.append(.patient) }
        #expect(numbers == [0, 1, 2, 3, 4])
        #expect(queue.head(3) == [0, 1, 2])
        for number in numbers.prefix(4) {
            #expect(queue.first == number)
            queue.remove(number)
        }
        let next = queue.append(.patient)
        #expect(next == 5 && queue.count == 2 && queue.head(9) == [4, 5])
        queue.remove(4)
        queue.remove(5)
        queue.remove(5)
        #expect(queue == WaitingQueue())
    }

    @Test("a waiting cancellation → a candidate, when its interaction is noticed → dequeued, or waiting again")
    func waitingCancellationBecomesCandidate() {
        var queue = WaitingQueue()
        _ = queue.append(.patient)
        let (b, a, again) = (queue.append(.cancels("b")), queue.append(.cancels("a")), queue.append(.cancels("a")))
        #expect(queue.candidates.isEmpty)
        queue.notice("c")
        queue.notice(nil)
        #expect(queue.candidates.isEmpty, "Nobody cancels that.")
        queue.notice("a")
        #expect(queue.candidates == [a, again])
        queue.pass(a)
        #expect(queue.candidates == [again] && queue.count == 4, "It waits on.")
        queue.notice("b")
        queue.notice("a")
        #expect(queue.candidates == [b, a, again])
        queue.remove(a)
        #expect(queue.candidates == [b, again] && queue.count == 3)
        queue.remove(again)
        queue.pass(b)
        queue.notice("a")
        #expect(queue.candidates.isEmpty, "Those are taken.")
    }

    @Test("a candidate → dequeued: one of several cancellations of an interaction; the others wait")
    func oneOfSeveralCancellationsIsDequeued() {
        var queue = WaitingQueue()
        let numbers = (0..<3).map { _ in queue.append(.cancels("a")) }
        let (first, second, third) = (numbers[0], numbers[1], numbers[2])
        queue.remove(second)
        queue.notice("a")
        #expect(queue.candidates == [first, third])
        queue.remove(first)
        queue.remove(third)
        #expect(queue.isEmpty)
        let later = queue.append(.cancels("a"))
        queue.remove(later)
        #expect(queue == WaitingQueue(), "Nothing is remembered of those that are gone.")
    }

    @Test("arriving → a candidate: what concerns the parked turn, at once; others if the caller knows")
    func urgentEventsAreCandidatesOnArrival() {
        var queue = WaitingQueue()
        let urgent = queue.append(.urgent)
        _ = queue.append(.cancels("a"))
        let known = queue.append(.cancels("b"), isCandidate: true)
        #expect(queue.candidates == [urgent, known])
    }

    @Test("restored → waiting, a candidate, or unreadable → dequeued: numbers stay as they are")
    func restoresNumbersFromState() {
        var queue = WaitingQueue()
        queue.restore(7, .patient)
        queue.restore(9, .cancels("a"))
        queue.restoreUnreadable(1 << 62)
        queue.restore(3, .patient)
        queue.restore(.max, .patient)
        #expect(queue.head(9) == [7, 9, 1 << 62] && queue.count == 3, "What has no number that can be is left alone.")
        #expect(queue.candidates == [9])
        #expect(queue.unreadable == [1 << 62])
        let next = queue.append(.patient)
        #expect(next == 1 << 62 + 1)
        queue.remove(1 << 62)
        #expect(queue.unreadable.isEmpty && queue.head(9) == [7, 9, next])
    }

    @Test("In any sequence of changes, the order is that of a plain list")
    func behavesLikeAList() {
        var random = SeededNumbers(seed: 9)
        var queue = WaitingQueue()
        var list: [Int64] = []
        for _ in 0..<3_000 {
            if list.isEmpty || Int.random(in: 0..<3, using: &random) > 0 {
                list.append(queue.append([.patient, .urgent, .cancels("a")].randomElement(using: &random) ?? .patient))
            } else {
                let index = Bool.random(using: &random) ? 0 : Int.random(in: list.indices, using: &random)
                queue.remove(list.remove(at: index))
            }
            #expect(queue.count == list.count && queue.first == list.first)
            #expect(queue.head(5) == Array(list.prefix(5)))
            #expect(Set(queue.candidates).isSubset(of: list))
        }
        #expect(queue.head(10_000) == list)
    }

    // MARK: Runs

    private static func event(_ number: Int64, _ type: EventType, _ subject: InteractionID) -> TurnInput {
        let event = Event(
            id: "e\(number)",
            source: "/tests",
            type: type,
            time: Timestamp(milliseconds: 0),
            subject: subject,
            userID: "u1",
            data: ["intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
        )
        return TurnInput(event.stored(on: .resolved, offset: number))
    }

    private static func run(
        _ items: [UserRun.Item],
        _ table: StateTable,
        _ queue: WaitingQueue
    ) throws -> (UserRun, PartitionBatch) {
        let environment = try StageEnvironment.tests(.confirm, clock: ManualClock())
        let batch = PartitionBatch(environment: environment, partition: 0, chain: "")
        let run = UserRun(
            user: "u1",
            items: ShortList(items),
            environment: environment,
            table: table,
            queue: queue,
            looksInQueue: true,
            batch: batch
        )
        return (run, batch)
    }

    private static func parked(_ subject: InteractionID) -> [UInt8] {
        ParkedTurn(
            event: Self.event(0, .intentResolved, subject).stored,
            interactionID: subject,
            startedAt: Timestamp(milliseconds: 0),
            timeoutAt: Timestamp(milliseconds: 1_000)
        )
        .json.utf8
    }

    @Test("Arriving → waiting: behind 20,000 events it costs one entry, and none of them is needed")
    func appendingReadsNoQueuedEvent() async throws {
        let table = StateTable()
        table.set(StateName.parked, user: "u1", Self.parked("a"))
        // The table has none of them, so their places cannot be known.
        var queue = WaitingQueue()
        for _ in 0..<20_000 { _ = queue.append(.patient) }
        let items = (1...3).map { UserRun.Item.event(Self.event($0, .intentResolved, "b\($0)")) }
        let (run, batch) = try Self.run(items, table, queue)
        #expect(await run.execute(on: BatchExecution.WorkerTask()))
        let outcome = run.close()
        #expect(outcome.writes.keys.map { $0 } == (20_000..<20_003).map { StateName.queued($0) })
        #expect(outcome.queue.count == 20_003 && !batch.finish().hasTurns && !outcome.continues)
    }

    @Test("No parked turn, the next event in memory: it runs, and the last one is parked first")
    func runsNextEventFromMemory() async throws {
        let table = StateTable()
        var queue = WaitingQueue()
        for number in 0..<20_000 {
            _ = queue.append(.patient)
            guard number < 3 else { continue }
            let stored = Self.event(Int64(number), .intentResolved, "b\(number)").stored
            table.set(StateName.queued(Int64(number)), user: "u1", stored.json.utf8)
        }
        let last = UserRun.Item.event(Self.event(99, .intentResolved, "last"))
        let (run, batch) = try Self.run([last], table, queue)
        #expect(await run.execute(on: BatchExecution.WorkerTask()))
        let outcome = run.close()
        #expect(outcome.queue.first == 3 && outcome.queue.count == 19_998)
        let parked = try #require(outcome.writes[StateName.parked] ?? nil)
        #expect(try ParkedTurn(json: JSONValue(parsing: parked.text))?.event.position.offset == 2)
        let turns = batch.finish().records.filter { $0.topicPartition.topic == "intents.journal" }
        #expect(turns.count == 3, "Two turns, and the note of one that is parked.")
        #expect(outcome.writes.keys.contains(StateName.queued(20_000)), "Who comes last is the last one.")
        #expect(!outcome.continues && outcome.parked.task == nil)
    }

    @Test("No parked turn, the last event in memory has been tried: it is parked with its tries and committed steps")
    func parksTriedEventAsItWas() async throws {
        let start = Timestamp(milliseconds: 0)
        let event = Self.event(0, .intentResolved, "b0").stored
        var tried = ParkedTurn(event: event, interactionID: "b0", startedAt: start, timeoutAt: start + 1_000)
        tried.attempt = 3
        tried.steps = [CommittedStep(name: "first", ordinal: 0, value: 1)]
        let table = StateTable()
        table.set(StateName.queued(0), user: "u1", tried.utf8)
        var queue = WaitingQueue()
        for _ in 0..<2 { _ = queue.append(.patient) }
        let (run, batch) = try Self.run([], table, queue)
        #expect(await run.execute(on: BatchExecution.WorkerTask()))
        let parked = try #require(run.close().writes[StateName.parked]??.form(ParkedTurn.self))
        #expect(parked.attempt == 3 && parked.steps.map(\.name) == ["first"])
        #expect(batch.finish().records.contains { $0.topicPartition.topic == "intents.journal" })
    }

    @Test("no parked turn, the next event on disk: everything waits for the next batch")
    func restsUntilEventIsReadFromDisk() async throws {
        var queue = WaitingQueue()
        for _ in 0..<20 { _ = queue.append(.patient) }
        let (run, batch) = try Self.run([.event(Self.event(99, .intentResolved, "last"))], StateTable(), queue)
        #expect(await run.execute(on: BatchExecution.WorkerTask()))
        let outcome = run.close()
        #expect(outcome.continues && !batch.finish().hasTurns)
        #expect(outcome.writes.keys.map { $0 } == [StateName.queued(20)])
    }

    @Test(
        "a candidate → dequeued: a cancellation among 20,000 events overtakes as soon as its interaction's turn is parked"
    )
    func cancellationOvertakesLongQueue() async throws {
        let table = StateTable()
        table.set(StateName.parked, user: "u1", Self.parked("a"))
        var queue = WaitingQueue()
        for _ in 0..<10_000 { _ = queue.append(.patient) }
        let number = queue.append(.cancels("a"))
        for _ in 0..<10_000 { _ = queue.append(.patient) }
        table.set(StateName.queued(number), user: "u1", Self.event(5, .interactionCancelled, "a").stored.json.utf8)
        queue.notice("a")
        let (run, batch) = try Self.run([], table, queue)
        #expect(await run.execute(on: BatchExecution.WorkerTask()))
        #expect(batch.finish().events.first?.event.offset == 5)
        #expect(run.close().queue.count == 20_000)
    }
}
