import Foundation
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

/// The executor with its threads; their transitions one by one are in ``ThreadPoolStateTests``.
@Suite("The threads for turns", .timeLimit(.minutes(1)))
struct TurnThreadsTests {
    /// The name of the thread that calls it.
    private static var threadName: String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) ?? Thread.current.name ?? ""
    }

    /// How many run at once.
    private final class Running: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { self.state.withLock(\.most) }

        func begin() { self.state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }

        func end() { self.state.withLock { $0.now -= 1 } }
    }

    @Test("Jobs run on its threads, as many at once as it is wide, also after they were suspended")
    func runsJobsOnAsManyThreadsAsWide() async {
        let threads = TurnThreads(width: 2, checkInterval: .seconds(60))
        let running = Running()
        let gate = Gate()
        let names = await withTaskGroup(of: [String].self) { group in
            for number in 0..<100 {
                group.addTask(executorPreference: threads) {
                    running.begin()
                    let before = Self.threadName
                    running.end()
                    if number == 99 { gate.open() } else { await gate.wait() }
                    return [before, Self.threadName]
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(names.count == 200)
        #expect(Set(names) == ["intentd-turns"])
        #expect(running.most <= 2)
        #expect(threads.pool.phases.count <= 2)
    }

    @Test("working → held → idle: when more jobs block than it is wide, another one still runs")
    func replacesBlockedThreads() async {
        let threads = TurnThreads(width: 2)
        let block = Block()
        let blocked = (0..<8).map { _ in Task(executorPreference: threads) { block.wait() } }
        await block.reaches(8)
        let name = await Task(executorPreference: threads) { Self.threadName }.value
        #expect(name == "intentd-turns")
        #expect(block.blocked == 8)
        let held = threads.pool.phases.values.filter { $0 == .held }
        #expect(held.count >= 6, "Two may be at work: nobody has waited for them since.")
        block.release()
        for task in blocked { await task.value }
        #expect(threads.pool.phases.count <= 10)
    }

    @Test("A job beyond the limit waits until a thread returns")
    func jobBeyondLimitWaits() async {
        let threads = TurnThreads(width: 1, limit: 3)
        let block = Block()
        let tasks = (0..<5).map { _ in Task(executorPreference: threads) { block.wait() } }
        await block.reaches(3)
        #expect(threads.pool.phases.count == 3)
        block.release()
        for task in tasks { await task.value }
        #expect(threads.pool.phases.count <= 3)
    }

    @Test("idle → gone: threads beyond its width end when they are not needed")
    func surplusThreadsEnd() async throws {
        let threads = TurnThreads(width: 1, idleTimeout: .milliseconds(1))
        let block = Block()
        let tasks = (0..<6).map { _ in Task(executorPreference: threads) { block.wait() } }
        await block.reaches(6)
        block.release()
        for task in tasks { await task.value }
        try await eventually { threads.pool.phases.count <= 1 }
        let name = await Task(executorPreference: threads) { Self.threadName }.value
        #expect(name == "intentd-turns")
    }

    @Test("The threads end with their executor")
    func threadsEndWithExecutor() async throws {
        // Each thread holds the pool.
        weak var pool: ThreadPool?
        do {
            let threads = TurnThreads(width: 2)
            pool = threads.pool
            await withTaskGroup { group in
                for _ in 0..<10 { group.addTask(executorPreference: threads) { await Task.yield() } }
            }
        }
        try await eventually { pool == nil }
    }
}
