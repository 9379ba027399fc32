import IntentEvents
import Logging
import Testing

@testable import IntentRuntime

/// Each test names the transitions of a lane that it is about, without a log or a clock; `StageLaneTests` runs lanes.
@Suite("A lane's state machine")
struct LaneMachineTests {
    private static let held = LogError(.transactionHeld, "held")
    private static let closed = LogError(.closed, "closed")

    private static let requests = TopicPartition("intents.requests", 1)

    @Test("joining → restoring → working → left")
    func lifecycle() {
        var machine = LaneMachine()
        var phases = [machine.phase]
        machine.joined()
        phases.append(machine.phase)
        guard case .restore(let offsets) = machine.receive(.assigned([Self.requests: 7])) else {
            Issue.record("assigned partitions are restored")
            return
        }
        #expect(offsets == [Self.requests: 7])
        phases.append(machine.phase)
        machine.finishRestoring()
        phases.append(machine.phase)
        machine.stop()
        phases.append(machine.phase)
        #expect(phases == [.joining, .joining, .restoring, .working, .left])
    }

    @Test("Records and revoked partitions change no state", arguments: [false, true])
    func eventsWhileWorking(lost: Bool) {
        var machine = LaneMachine()
        _ = machine.receive(.assigned([:]))
        machine.finishRestoring()
        guard case .release(let partitions) = machine.receive(.revoked([Self.requests], lost: lost)) else {
            Issue.record("revoked partitions are released")
            return
        }
        #expect(partitions == [1])
        guard case .process(let records) = machine.receive(.records([])) else {
            Issue.record("records are processed")
            return
        }
        #expect(records.isEmpty)
        let phase = machine.phase
        #expect(phase == .working)
    }

    @Test("working → failing → joining: the pause doubles up to five seconds, and a commit resets it")
    func pausesGrowUntilCommit() {
        var machine = LaneMachine()
        var pauses: [Duration] = []
        for _ in 1...8 {
            let recovery = machine.fail(Self.closed, hasCommitted: false, at: .zero)
            pauses.append(recovery.pause)
            #expect(!recovery.leavesGroup)
            var phases = [machine.phase]
            machine.join()
            phases.append(machine.phase)
            #expect(phases == [.failing("\(Self.closed)"), .joining])
        }
        #expect(pauses == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].map { .milliseconds($0) })
        let recovery = machine.fail(Self.closed, hasCommitted: true, at: .zero)
        #expect(recovery.pause == .milliseconds(100))
        #expect(recovery.failures == 1)
    }

    @Test("Behind a held transaction the lane leaves its group once, and again after it has joined")
    func leavesGroupOncePerMembership() {
        var machine = LaneMachine()
        var leaves: [Bool] = []
        // An earlier process may have left a member of this name.
        leaves.append(machine.fail(Self.held, hasCommitted: false, at: .zero).leavesGroup)
        // It could not leave: it tries again.
        leaves.append(machine.fail(Self.held, hasCommitted: false, at: .zero).leavesGroup)
        machine.leftGroup()
        leaves.append(machine.fail(Self.held, hasCommitted: false, at: .zero).leavesGroup)
        machine.join()
        leaves.append(machine.fail(Self.held, hasCommitted: false, at: .zero).leavesGroup)
        machine.joined()
        leaves.append(machine.fail(Self.held, hasCommitted: false, at: .zero).leavesGroup)
        #expect(leaves == [true, true, false, false, true])
    }

    @Test("Errors that last until someone acts are logged once a minute, others each time")
    func logLevels() {
        var machine = LaneMachine()
        let errors: [(code: LogError.Code, second: Int, level: Logger.Level)] = [
            (.transactionHeld, 0, .warning), (.transactionHeld, 59, .debug), (.groupShared, 60, .error),
            (.groupShared, 61, .debug), (.closed, 62, .warning), (.closed, 62, .warning), (.fenced, 62, .info),
        ]
        for (code, second, level) in errors {
            let recovery = machine.fail(LogError(code, "error"), hasCommitted: false, at: .seconds(second))
            #expect(recovery.logLevel == level, "\(code) at \(second) s")
        }
    }

    @Test("Reading pauses at the limit of parked turns, and resumes when a tenth of them has ended")
    func throttle() {
        var machine = LaneMachine()
        let steps: [(parked: Int, limit: Int, action: LaneMachine.Throttle?, isPaused: Bool)] = [
            (99, 100, nil, false), (100, 100, .pause, true), (91, 100, nil, true), (90, 100, .resume, false),
            // With a limit of 1, nine tenths are none.
            (1, 1, .pause, true), (0, 1, .resume, false), (100, 100, .pause, true),
        ]
        for (parked, limit, expected, isPaused) in steps {
            let action = machine.throttle(parked: parked, limit: limit)
            let paused = machine.isPaused
            #expect(action == expected, "\(parked) of \(limit)")
            #expect(paused == isPaused, "\(parked) of \(limit)")
        }
        machine.joined()
        let paused = machine.isPaused
        #expect(!paused, "A new member reads everything.")
    }
}
