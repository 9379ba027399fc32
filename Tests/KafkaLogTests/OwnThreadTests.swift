import Foundation
import Synchronization
import Testing

@testable import KafkaLog

/// The executor that keeps blocking calls off Swift's threads.
struct OwnThreadTests {
    private actor Worker {
        private let thread: OwnThread
        private var calls = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { self.thread.asUnownedSerialExecutor() }

        init(_ thread: OwnThread) {
            self.thread = thread
        }

        func call() -> (thread: ObjectIdentifier, number: Int) {
            self.calls += 1
            return (ObjectIdentifier(Thread.current), self.calls)
        }

        func callSlowly() async -> Int {
            let number = self.calls
            await Task.yield()
            self.calls += 1
            return number
        }
    }

    @Test func runsCallsOnItsThreadInOrder() async {
        let thread = OwnThread(name: "worker")
        let worker = Worker(thread)
        let numbers = await withTaskGroup(of: (ObjectIdentifier, Int).self) { group in
            for _ in 0..<200 {
                group.addTask { await worker.call() }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(numbers.map(\.0)).count == 1)
        #expect(numbers.map(\.1).sorted() == Array(1...200))
        await thread.stop()
    }

    @Test func callsAfterStopReturn() async {
        let thread = OwnThread(name: "worker")
        let worker = Worker(thread)
        #expect(await worker.call().number == 1)
        await thread.stop()
        await thread.stop()
        let numbers = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask { await worker.call().number }
                group.addTask { await worker.callSlowly() }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(numbers.count == 200)
        #expect(await worker.call().number == 202)
    }

    @Test func stopWaitsForCallsInProgress() async {
        let thread = OwnThread(name: "worker")
        let worker = Worker(thread)
        async let number = worker.callSlowly()
        await thread.stop()
        #expect(await number == 0)
    }

    @Test func watchdogReturnsForHungCall() async {
        let forever: Void? = await Watchdog.run(limit: .milliseconds(20)) {
            // Ends only with the test's process; nothing waits for it.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        #expect(forever == nil)
        #expect(await Watchdog.run(limit: .seconds(60)) { 7 } == 7)
    }

    @Test func cancelledTaskStopsWaiting() async {
        let (calls, called) = AsyncStream<Void>.makeStream()
        let caller = Task {
            await Watchdog.runUntilCancelled {
                called.finish()
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        for await _ in calls {}
        caller.cancel()
        #expect(await caller.value == nil)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Watchdog.runUntilCancelled { 7 }
        }
        #expect(await late.value == nil)
        #expect(await Watchdog.runUntilCancelled { 7 } == 7)
    }
}
