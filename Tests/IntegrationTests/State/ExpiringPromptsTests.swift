import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

/// Many interactions that wait for an answer which never comes.
@Suite struct ExpiringPromptsTests {
    private static let count = 10_000
    private static let partitions = 4

    @Test("R13, R24: ten thousand prompts expire on time, once each, whichever worker is running then")
    func tenThousandPromptsExpireOnce() async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        let clock = ShiftedClock()
        let responses = try await Reading(.responses, Self.partitions, of: log)
        let timeout = RuntimeSettings().promptTimeout

        // Three workers, one after another: the first asks, the second only waits, the third finds that the time is up.
        try await WaitingWorker.run(deployment, log, clock, directory, lanes: 2) {
            try await WaitingWorker.request(Self.count, of: Self.partitions, on: log)
            let prompts = try await responses.next(Self.count)
            #expect(prompts.allSatisfy { $0.type == EventType.promptIssued.rawValue })
        }
        clock.advance(by: timeout - .seconds(60))
        try await WaitingWorker.run(deployment, log, clock, directory, lanes: 2) {
            // A request of its own shows that the worker has its partitions and has checked its deadlines.
            try await WaitingWorker.request(1, from: Self.count, of: Self.partitions, on: log)
            let later = try await responses.next(1)
            #expect(later.map(\.subject) == ["i\(Self.count)"])
        }
        #expect(try await responses.rest().isEmpty)
        clock.advance(by: .seconds(61))
        let due = clock.now
        try await WaitingWorker.run(deployment, log, clock, directory, lanes: 2) {
            let ends = try await responses.next(Self.count)
            #expect(ends.allSatisfy { $0.data["endReason"] == "timeout" && $0.data["terminal"] == true })
            #expect(Set(ends.map(\.subject)).count == Self.count)
            #expect(!ends.contains { $0.subject == "i\(Self.count)" }, "It has four minutes left.")
            let last = try #require(ends.map(\.time).max())
            #expect(last - due < 60_000)
        }
        #expect(try await responses.rest().isEmpty, "Something came twice.")
        await log.close()
    }
}
