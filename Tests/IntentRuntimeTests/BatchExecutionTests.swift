import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

/// Each test names the transitions of a user's run that it is about: waiting, running, between two turns, parked, over.
@Suite("A batch's users (R3 to R5)", .timeLimit(.minutes(1)))
struct BatchExecutionTests {
    /// Does what a test says when its parameter is resolved.
    private struct ScriptedHandler: IntentHandler {
        let script: @Sendable (_ user: String, _ name: String) async -> Void

        var handling: Handling<GreetIntent> {
            Resolve(\.$name) { said, context in
                await self.script(context.user.id, said ?? "")
                return said.map { .success(with: $0) } ?? .notRequired()
            }
            Handle { intent, _ in self.greeting(intent) }
        }
    }

    /// A batch of one partition, whose time limit ends only when the test advances the clock.
    private final class Bench: Sendable {
        let environment: StageEnvironment
        let batch: PartitionBatch
        private let deliveries = TurnMailbox {}
        private let delivered = Mutex<[UserID: TurnOutcome?]>([:])

        init(
            concurrency: Int = 64,
            clock: any RuntimeClock = ManualClock(),
            threads: (any TaskExecutor)? = nil,
            _ script: @escaping @Sendable (_ user: String, _ name: String) async -> Void
        ) throws {
            var settings = RuntimeSettings()
            settings.handlerConcurrency = concurrency
            let registration = IntentRegistration { ScriptedHandler(script: script) }
            self.environment = try StageEnvironment.tests(
                .resolve,
                [registration],
                settings: settings,
                clock: clock,
                threads: threads
            )
            self.batch = PartitionBatch(environment: self.environment, partition: 0, chain: "")
        }

        /// What came to the mailbox, by user; nil for a turn without a result.
        var mailbox: [UserID: TurnOutcome?] {
            self.delivered.withLock { delivered in
                for delivery in self.deliveries.drain() {
                    delivered[delivery.user] = .some(delivery.result?.record.outcome)
                }
                return delivered
            }
        }

        /// The outcomes in the journal of the batch, with the users; read once, at the end.
        var journal: [(user: UserID, outcome: TurnOutcome)] {
            self.batch.finish().records.filter { $0.topicPartition.topic == "intents.journal" }
                .compactMap { TurnRecord($0.content) }
                .map { ($0.userID, $0.outcome) }
        }

        /// A user's run with this many requests, whose names are their numbers.
        func run(_ user: UserID, requests: Int = 1) -> UserRun {
            let items = (0..<requests)
                .map { number in
                    let event = Event(
                        id: "e\(number)",
                        source: "/tests",
                        type: .intentRequested,
                        time: Timestamp(milliseconds: 0),
                        subject: "i\(number)",
                        userID: user,
                        data: [
                            "intent": ["name": "GreetIntent", "parameters": ["name": .string("\(number)")]],
                            "user": ["id": user.json],
                        ]
                    )
                    return UserRun.Item.event(TurnInput(event.stored(on: .requests, offset: Int64(number))))
                }
            return UserRun(
                user: user,
                items: ShortList(items),
                environment: self.environment,
                table: StateTable(),
                looksInQueue: false,
                address: TurnAddress(mailbox: self.deliveries, partition: 0, user: user, token: 1),
                batch: self.batch
            )
        }

        /// Runs them until each is over or parked.
        func execute(_ runs: [UserRun]) async {
            await BatchExecution(runs, in: self.environment).execute()
        }
    }

    @Test("waiting → running: a suspended turn delays nobody, and no more turns than the limit run at once")
    func suspendedTurnDelaysNobody() async throws {
        let second = Gate()
        let running = Mutex((now: 0, most: 0))
        let bench = try Bench(concurrency: 2) { user, _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            // It continues only because the second one runs beside it.
            if user == "u1" { await second.wait() }
            if user == "u2" { second.open() }
            await Task.yield()
            running.withLock { $0.now -= 1 }
        }
        let runs = (1...6).map { bench.run("u\($0)") }
        await bench.execute(runs)
        #expect(running.withLock(\.most) == 2)
        #expect(runs.map { $0.close().parked.isNothing } == Array(repeating: true, count: 6))
        #expect(Set(bench.journal.map(\.user)) == Set(runs.map(\.user)))
        #expect(bench.mailbox.isEmpty)
    }

    @Test("running → between two turns → running → over: a user's events run one after the other, in order (R4)")
    func runsEventsOfUserInOrder() async throws {
        let seen = Mutex<(names: [String], isRunning: Bool)>(([], false))
        let bench = try Bench { _, name in
            let isAlone = seen.withLock { seen in
                defer { seen = (seen.names + [name], true) }
                return !seen.isRunning
            }
            #expect(isAlone)
            await Task.yield()
            seen.withLock { $0.isRunning = false }
        }
        let run = bench.run("u1", requests: 5)
        await bench.execute([run])
        #expect(seen.withLock(\.names) == ["0", "1", "2", "3", "4"])
        let outcome = run.close()
        #expect(outcome.parked.isNothing && outcome.queue.isEmpty)
        #expect(bench.journal.map(\.outcome) == Array(repeating: .passed, count: 5))
    }

    @Test("running → between two turns: a turn that has not run for long is not parked, nor is one that has ended")
    func youngAndEndedTurnsAreNotParked() async throws {
        let clock = ManualClock()
        let parked = Mutex<[Bool]>([])
        let runs = Mutex<[UserRun]>([])
        let bench = try Bench(clock: clock) { _, _ in
            let run = runs.withLock { $0.first }
            parked.withLock { $0.append(run?.park(after: .milliseconds(5), now: .milliseconds(4)) ?? true) }
        }
        let run = bench.run("u1", requests: 2)
        runs.withLock { $0 = [run] }
        await bench.execute([run])
        #expect(!run.park(after: .zero, now: .seconds(1)), "It is over.")
        runs.withLock { $0 = [] }
        #expect(parked.withLock(\.self) == [false, false])
        #expect(bench.journal.map(\.outcome) == [.passed, .passed])
    }

    @Test("running → parked → over: its worker task is replaced, and its result goes to the mailbox")
    func parkedTurnFreesTaskAndReportsToMailbox() async throws {
        let clock = ManualClock()
        let (begun, gate) = (Gate(), Gate())
        // With one place, the second user waits for the first one's.
        let bench = try Bench(concurrency: 1, clock: clock) { user, _ in
            guard user == "u1" else { return }
            begun.open()
            await gate.wait()
        }
        let (slow, other) = (bench.run("u1", requests: 3), bench.run("u2"))
        async let batch: Void = bench.execute([slow, other])
        await begun.wait()
        await clock.sleepers(1)
        clock.advance(by: bench.environment.settings.parkAfter)
        await batch
        let outcome = slow.close()
        let task = try #require(outcome.parked.task)
        #expect(outcome.queue.count == 2)
        #expect(other.close().parked.isNothing)
        #expect(bench.mailbox.isEmpty)
        gate.open()
        await task.value
        #expect(bench.mailbox == ["u1": .passed])
        // Whichever came first.
        #expect(Set(bench.journal.map { "\($0.user.text) \($0.outcome)" }) == ["u1 parked", "u2 passed"])
    }

    @Test("running → parked: a turn without a result, because another turn has ended its interaction")
    func parkedTurnOfEndedInteractionHasNoResult() async throws {
        let ledger = InMemoryLedger()
        _ = try await ledger.close(request: "0:7", unlessEffects: false)
        let registration = IntentRegistration { PayingHandler() }
        let handle = try StageEnvironment.tests(.handle, [registration], ledger: ledger, clock: ManualClock())
        let event = Event(
            id: "e1",
            source: "/intentd/confirm",
            type: .intentConfirmed,
            time: Timestamp(milliseconds: 0),
            subject: "i1",
            userID: "u1",
            request: "0:7",
            data: ["interaction": Interaction.greeting().json, "user": ["id": "u1"]]
        )
        let batch = PartitionBatch(environment: handle, partition: 0, chain: "")
        let mailbox = TurnMailbox {}
        let run = UserRun(
            user: "u1",
            items: [.event(TurnInput(event.stored(on: .confirmed, offset: 3)))],
            environment: handle,
            table: StateTable(),
            looksInQueue: false,
            address: TurnAddress(mailbox: mailbox, partition: 0, user: "u1", token: 1),
            batch: batch
        )
        await BatchExecution([run], in: handle).execute()
        let outcome = run.close()
        #expect(outcome.parked.isWithoutResult)
        #expect(mailbox.drain().isEmpty, "The batch has not parked it: nobody waits for a delivery.")
        #expect(outcome.writes.keys.map { $0 } == [.parked])
        let journal = batch.finish().records.filter { $0.topicPartition.topic == "intents.journal" }
        #expect(journal.map { TurnRecord($0.content)?.outcome } == [.parked])
    }

    /// Makes an effect.
    private struct PayingHandler: IntentHandler {
        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                _ = try await context.effect("pay") { _ in "paid" }
                return self.greeting(intent)
            }
        }
    }

    @Test("running → parked: turns whose handlers block are parked, too, even more of them than there are threads")
    func blockingTurnsAreParkedBeyondThreadCount() async throws {
        let (block, served) = (Block(), Gate())
        let threads = TurnThreads(width: 2)
        let bench = try Bench(concurrency: 4, clock: SystemRuntimeClock(), threads: threads) { user, _ in
            if user == "other" { served.open() } else { block.wait() }
        }
        let blocked = (0..<8).map { bench.run(UserID("u\($0)")) }
        let other = bench.run("other")
        async let batch: Void = bench.execute(blocked + [other])
        await served.wait()
        #expect(block.blocked == 8, "The other one is served meanwhile, although it was the last one.")
        await batch
        let outcomes = blocked.map { $0.close() }
        #expect(outcomes.map { $0.parked.task == nil } == Array(repeating: false, count: 8))
        #expect(other.close().parked.isNothing)
        block.release()
        for outcome in outcomes { await outcome.parked.task?.value }
        #expect(bench.mailbox == Dictionary(uniqueKeysWithValues: blocked.map { ($0.user, .some(.passed)) }))
    }

    @Test("waiting → running: a worker task takes its share of users, then another one takes over")
    func workerTasksTakeTurns() async throws {
        let bench = try Bench(concurrency: 1) { _, _ in }
        let runs = (0..<200).map { bench.run(UserID("u\($0)")) }
        await bench.execute(runs)
        #expect(Set(bench.journal.map(\.user)) == Set(runs.map(\.user)))
    }
}

extension UserRun.Outcome.Parked {
    /// Whether no turn is parked.
    var isNothing: Bool {
        if case .nothing = self { true } else { false }
    }

    /// Whether a turn without a result is parked.
    var isWithoutResult: Bool {
        if case .withoutResult = self { true } else { false }
    }
}
