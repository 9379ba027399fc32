import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

/// Each test names the transitions of a user's run that it is about: between two turns, running, parked, over.
@Suite("Phases of a user's run")
struct RunPhaseTests {
    private static let worker = BatchExecution.WorkerTask()

    /// A turn that began after a second.
    private static func turn(isParkable: Bool = true) -> RunPhase.Running {
        let event = Event(
            id: "e1",
            source: "/tests",
            type: .intentRequested,
            time: Timestamp(milliseconds: 0),
            userID: "u1",
            data: ["intent": ["name": "GreetIntent"]]
        )
        return RunPhase.Running(
            input: TurnInput(event.stored(on: .requests, offset: 7)),
            again: nil,
            since: .seconds(1),
            isParkable: isParkable,
            worker: Self.worker
        )
    }

    private static func outcome() throws -> UserRun.Outcome {
        let environment = try StageEnvironment.tests(.confirm)
        let batch = PartitionBatch(environment: environment, partition: 0, chain: "")
        return UserRun(
            user: "u1",
            items: [],
            environment: environment,
            table: StateTable(),
            looksInQueue: false,
            batch: batch
        )
        .close()
    }

    @Test("between → running → between: a turn ends once")
    func turnEndsOnce() {
        var phase = RunPhase.between
        phase.begin(Self.turn())
        let (first, second) = (phase.end(), phase.end())
        #expect(first?.input.stored.position.offset == 7)
        #expect(second == nil)
        guard case .between = phase else {
            Issue.record("\(phase)")
            return
        }
    }

    @Test("running → parked: as soon as it has run long enough, once, and for the task that runs it")
    func parksOnceAfterItsTime() {
        var phase = RunPhase.between
        phase.begin(Self.turn())
        let early = phase.park(after: .milliseconds(5), now: .milliseconds(1_004))
        #expect(early == nil)
        let parked = phase.park(after: .milliseconds(5), now: .milliseconds(1_005))
        #expect(parked?.input.stored.position.offset == 7)
        guard case .parked(let worker) = phase, worker === Self.worker else {
            Issue.record("\(phase)")
            return
        }
        let again = phase.park(after: .zero, now: .seconds(9))
        #expect(again == nil, "It is parked once.")
        let ended = phase.end()
        #expect(ended == nil, "Its result goes to the mailbox.")
    }

    @Test("running → between: a turn that overtakes a parked one, or keeps nothing here, is never parked")
    func overtakingTurnIsNotParked() {
        var phase = RunPhase.between
        let before = phase.park(after: .zero, now: .seconds(9))
        #expect(before == nil, "Nothing runs.")
        phase.begin(Self.turn(isParkable: false))
        let parked = phase.park(after: .zero, now: .seconds(9))
        #expect(parked == nil)
        let ended = phase.end()
        #expect(ended != nil)
    }

    @Test("between → over; parked → over: nothing is parked or ends any more", arguments: [false, true])
    func closedRunNeitherParksNorEnds(isParked: Bool) throws {
        var phase = RunPhase.between
        phase.begin(Self.turn())
        if isParked { _ = phase.park(after: .zero, now: .seconds(9)) } else { _ = phase.end() }
        let outcome = try Self.outcome()
        phase.close(outcome)
        let (parked, ended) = (phase.park(after: .zero, now: .seconds(9)), phase.end())
        #expect(parked == nil && ended == nil)
        guard case .over(let kept) = phase, kept === outcome else {
            Issue.record("\(phase)")
            return
        }
    }
}
