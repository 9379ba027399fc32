import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@Suite("Crash counts of turns that are done (R56)")
struct DoneTurnTests {
    /// The crash watch of the workers that are started.
    private final class Process: Sendable {
        private let current = Mutex<CrashWatch?>(nil)
        let marks = MarksInMemory()

        var watch: CrashWatch? { self.current.withLock { $0 } }

        /// The next process finds that one has crashed while these turns ran.
        func begin(after marks: [TurnMark]) {
            var suspects = SuspectTurns(maxCrashes: 3)
            suspects.recordCrash(of: marks, at: Timestamp(milliseconds: 0))
            let watch = CrashWatch(suspects, marks: self.marks, clock: SystemRuntimeClock())
            self.current.withLock { $0 = watch }
        }
    }

    @Test(
        "A worker that is assigned a partition forgets the counts of turns that are done, and none of those that wait"
    )
    func assignmentForgetsDoneTurnsOnly() async throws {
        let gate = Gate()
        let process = Process()
        var settings = RuntimeSettings()
        settings.inProgressAfter = .milliseconds(20)
        let registrations = [IntentRegistration { SlowHandler(gate: gate) }]
        try await Pipeline.with(registrations, settings: settings, partitions: 1, crashes: process.watch) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "a"], user: "u1", subject: "done")
            #expect(try await pipeline.end(of: "done").data["endReason"] == "nominal")
            try await pipeline.request("GreetIntent", ["name": "slow"], user: "u2", subject: "parked")
            #expect(try await pipeline.next(of: "parked").data["status"] == "inProgress")
            try await pipeline.request("GreetIntent", ["name": "b"], user: "u2", subject: "queued")
            try await pipeline.settle()
            let found = try await pipeline.records(of: .confirmed)
                .map { record in
                    (
                        record.header(EventHeaderName.subject) ?? "",
                        TurnKey(.handle, RecordPosition(.confirmed, 0, record.offset))
                    )
                }
            let keys = Dictionary(uniqueKeysWithValues: found)
            let done = try #require(keys["done"])
            let parked = try #require(keys["parked"])
            let queued = try #require(keys["queued"])
            let reading = TurnKey(.handle, done.position, isReading: true)
            // Of another stage, and not read yet.
            let others = [
                TurnKey(.confirm, RecordPosition(.signals, 0, 1_000)),
                TurnKey(.handle, RecordPosition(.confirmed, 0, 1_000)),
            ]
            try await pipeline.restartWorkers {
                process.begin(
                    after: ([done, parked, queued, reading] + others).map { TurnMark($0, .ordinary) }
                )
            }
            gate.open()
            #expect(try await pipeline.end(of: "parked").data["endReason"] == "nominal")
            #expect(try await pipeline.end(of: "queued").data["endReason"] == "nominal")
            try await pipeline.settle()
            // Turns that waited are forgotten when they are committed, and not before.
            #expect(process.marks.calls.first == [done, reading])
            // A worker that has left has reported everything.
            try await pipeline.restartWorkers {
                #expect(process.marks.forgotten == [done, reading, parked, queued])
            }
        }
    }

    @Test("A parked turn that a cancellation ends is done")
    func cancelledParkedTurnIsDone() async throws {
        let gate = Gate()
        let process = Process()
        var settings = RuntimeSettings()
        settings.inProgressAfter = .milliseconds(20)
        let parked = TurnKey(.handle, RecordPosition(.confirmed, 0, 0))
        process.begin(after: [TurnMark(parked, .ordinary)])
        let registrations = [IntentRegistration { SlowHandler(gate: gate) }]
        try await Pipeline.with(registrations, settings: settings, partitions: 1, crashes: process.watch) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "slow"], user: "u1", subject: "parked")
            #expect(try await pipeline.next(of: "parked").data["status"] == "inProgress")
            #expect(process.marks.calls.isEmpty)
            try await pipeline.send(.interactionCancelled, subject: "parked", data: ["user": ["id": "u1"]])
            #expect(try await pipeline.end(of: "parked").data["endReason"] == "abortedByUser")
            try await pipeline.settle()
            gate.open()
            try await pipeline.restartWorkers { #expect(process.marks.forgotten == [parked]) }
        }
    }
}
