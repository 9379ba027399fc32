import Foundation
import InMemoryLog
import IntentEvents
import IntentRuntime
import IntentLab
import Logging
import SQLiteStore
import Testing

/// State that a worker keeps when it leaves in order, so that the next one need not read all of it.
@Suite struct KeptStateTests {
    private static let partitions = 3
    private static let states = (0..<Self.partitions)
        .map { TopicPartition(Topic.state.name(prefix: "intents"), $0) }

    @Test("R6: after a clean stop the next worker reads only what came since; without a file, everything")
    func cleanStopLeavesFileForSuccessor() async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let observed = ObservedLog(log)
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        let clock = ShiftedClock()
        let responses = try await Reading(.responses, Self.partitions, of: log)
        var asked = 0
        func work(_ count: Int) async throws -> [Event] {
            var events: [Event] = []
            try await WaitingWorker.run(deployment, observed, clock, directory) {
                try await WaitingWorker.request(count, from: asked, of: Self.partitions, on: log)
                asked += count
                events = try await responses.next(count)
            }
            return events
        }

        _ = try await work(100)
        #expect(observed.drainStarts().values.contains(0))
        // Each worker must know what the previous one knew: a repeated request is not processed again.
        for _ in 1...2 {
            let events = try await work(10)
            #expect(events.allSatisfy { $0.type == EventType.promptIssued.rawValue })
            #expect(!observed.drainStarts().values.contains(0), "Nothing is read that was kept.")
        }
        try await WaitingWorker.run(deployment, observed, clock, directory) {
            try await WaitingWorker.request(100, of: Self.partitions, on: log)
            try await WaitingWorker.request(1, from: asked, of: Self.partitions, on: log)
            asked += 1
            #expect(try await responses.next(1).map(\.subject) == ["i\(asked - 1)"])
        }
        #expect(try await responses.rest().isEmpty)
        _ = observed.drainStarts()

        // On another machine there is no file.
        try FileManager.default.removeItem(atPath: directory.file("worker-0.sqlite"))
        _ = try await work(1)
        #expect(observed.drainStarts().values.filter { $0 == 0 }.count == Self.partitions)
        let ends = Task { try await responses.next(asked) }
        clock.advance(by: RuntimeSettings().promptTimeout)
        try await WaitingWorker.run(deployment, observed, clock, directory) {
            let ended = try await ends.value
            #expect(Set(ended.map(\.subject)).count == asked, "Deadlines are known again.")
        }
        await log.close()
    }
}

extension KeptStateTests {
    @Test(
        "R6: after a kill the worker restores its file and reads what came after it"
    )
    func restartsFromFileAfterKill() async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let observed = ObservedLog(log)
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        let clock = ShiftedClock()
        let responses = try await Reading(.responses, Self.partitions, of: log)
        let killed = try TemporaryDirectory()
        try await WaitingWorker.run(deployment, observed, clock, directory) {
            for first in stride(from: 0, to: 120, by: 3) {
                try await WaitingWorker.request(3, from: first, of: Self.partitions, on: log)
                _ = try await responses.next(3)
            }
            // What a process leaves that is killed during its work.
            try WaitingWorker.copyFile(from: directory, to: killed)
            try await WaitingWorker.request(10, from: 120, of: Self.partitions, on: log)
            _ = try await responses.next(10)
        }
        _ = observed.drainStarts()
        try await WaitingWorker.run(deployment, observed, clock, killed) {
            // Requests from before and after the file was left are known: they are not processed again.
            try await WaitingWorker.request(130, of: Self.partitions, on: log)
            try await WaitingWorker.request(1, from: 130, of: Self.partitions, on: log)
            #expect(try await responses.next(1).map(\.subject) == ["i130"])
        }
        let starts = observed.drainStarts()
        #expect(starts.count == Self.partitions && !starts.values.contains(0), "Not everything is read: \(starts)")
        let ends = Task { try await responses.next(131) }
        clock.advance(by: RuntimeSettings().promptTimeout)
        try await WaitingWorker.run(deployment, observed, clock, killed) {
            let ended = try await ends.value
            #expect(Set(ended.map(\.subject)).count == 131, "Deadlines are known again.")
        }
        #expect(try await responses.rest().isEmpty)
        await log.close()
    }

    @Test(
        "R2, R6: the file covers no partition that the worker may no longer commit: others may have written meanwhile"
    )
    func fileOmitsPartitionsThatCannotBeCommitted() async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        let responses = try await Reading(.responses, Self.partitions, of: log)
        let before = try await log.offsets(Self.states, at: .end)
        try await WaitingWorker.run(deployment, log, ShiftedClock(), directory, lag: 1_000) {
            try await WaitingWorker.request(10, of: Self.partitions, on: log)
            _ = try await responses.next(10)
            log.inject(.commit(LogError(.fenced, "the partitions are somebody else's")))
        }
        let spill = try await SQLiteStateSpill.open(at: directory.file("worker-0.sqlite"), deployment: deployment.id)
        for (partition, kept) in try await spill.positions() {
            // With what the worker wrote to be sure of the end.
            let end = before[Self.states[partition]].map { $0 + 1 }
            #expect(kept.position == end, "What was read at the start, and no more.")
        }
        await log.close()
    }
}

extension KeptStateTests {
    @Test("R6: what was kept outlives a log that does not answer when the worker comes back")
    func keepsFileWhenLogIsUnavailable() async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let observed = ObservedLog(log)
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        let responses = try await Reading(.responses, Self.partitions, of: log)
        try await WaitingWorker.run(deployment, observed, ShiftedClock(), directory) {
            try await WaitingWorker.request(20, of: Self.partitions, on: log)
            _ = try await responses.next(20)
        }
        _ = observed.drainStarts()
        observed.failLanes(2)
        try await WaitingWorker.run(deployment, observed, ShiftedClock(), directory) {
            try await WaitingWorker.request(3, from: 20, of: Self.partitions, on: log)
            _ = try await responses.next(3)
        }
        #expect(!observed.drainStarts().values.contains(0), "Nothing is read that was kept.")
        await log.close()
    }

    @Test("R6: a lane that has read nothing leaves without a word about its state", .timeLimit(.minutes(1)))
    func laneThatReadNothingLeavesSilently() async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let lines = LogLines()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        try await WaitingWorker.run(deployment, log, ShiftedClock(), directory, logger: lines.logger()) {
            _ = try await lines.next(.info, "Partitions assigned")
        }
        #expect(!lines.all.contains { $0.message.hasPrefix("Could not keep the state") }, "\(lines.all)")
        // For partitions of which nothing was read, the content at the start is kept.
        let responses = try await Reading(.responses, Self.partitions, of: log)
        try await WaitingWorker.run(deployment, log, ShiftedClock(), directory, logger: lines.logger()) {
            try await WaitingWorker.request(1, of: Self.partitions, on: log)
            _ = try await responses.next(1)
        }
        #expect(!lines.all.contains { $0.message.hasPrefix("Could not keep the state") }, "\(lines.all)")
        let spill = try await SQLiteStateSpill.open(at: directory.file("worker-0.sqlite"), deployment: deployment.id)
        let ends = try await log.offsets(Self.states, at: .end)
        let positions = try await spill.positions()
        #expect(positions.count == Self.partitions)
        for (partition, kept) in positions { #expect(kept.position <= ends[Self.states[partition]] ?? 0) }
        await log.close()
    }
}
