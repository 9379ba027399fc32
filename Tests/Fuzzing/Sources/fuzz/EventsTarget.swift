import Foundation

@testable import IntentFuzzing
@testable import IntentKit
@testable import IntentLedger

/// Feeds events to the stages, as turns alone (`FuzzedStages`) and, for one input in sixteen, with lanes
/// (`FuzzedLanes`).
///
/// The treatment of an input depends on the input alone, so an input that found a defect finds it again.
enum EventsTarget {
    /// Only for the summary at the end, and written by the one task that runs at a time.
    nonisolated(unsafe) private static var tally = FuzzedStages.Tally()

    static func run(_ arguments: [String]) throws {
        // Effects are synced to the disk: a disk in memory is better, where there is one.
        let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let directory = URL(filePath: root).appending(path: "fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        LibFuzzer.atEnd {
            try? FileManager.default.removeItem(at: directory)
            print("\(Self.tally)")
        }
        let path = directory.appending(path: "store.sqlite").path
        let extensions = FuzzedIntents.extensions
        let stages = try Waiting.wait {
            let ledger = try await SQLiteLedger.open(at: path, migrations: extensions.flatMap(\.migrations))
            try await ledger.addDemoData(of: extensions, for: ["u1", "u2"], run: "fuzz")
            return try FuzzedStages(extensions, ledger: ledger)
        }
        var lanes: FuzzedLanes?
        var rounds = 0
        LibFuzzer.run(arguments) { bytes in
            let input = Array(bytes)
            let chosen = FuzzedEvent.seed(of: input) >> 32 % 16
            try Waiting.wait { try await stages.play(input, isThorough: chosen == 0) }
            Self.tally = stages.tally
            guard chosen == 1 else { return }
            // The log is in memory: it is recreated before it is too long.
            if rounds % 100 == 0 {
                let store = directory.appending(path: "lanes-\(rounds).sqlite").path
                let last = lanes
                lanes = try Waiting.wait {
                    try await last?.stop()
                    return try await FuzzedLanes(extensions, store: store)
                }
            }
            rounds += 1
            try Waiting.wait { try await lanes?.play(input) }
        }
    }
}

/// Waits for a task on a thread outside the pool: libFuzzer knows nothing of tasks.
enum Waiting {
    /// The result of a task; written by the task before the semaphore, read after it.
    private final class Outcome<Value>: @unchecked Sendable {
        var result: Result<Value, any Error>?
    }

    /// The value that is passed to the task and back: the waiting thread does not touch it meanwhile.
    private struct Crossing<Value>: @unchecked Sendable {
        var value: Value
    }

    static func wait<Value>(_ body: @escaping () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        let body = Crossing(value: body)
        let semaphore = DispatchSemaphore(value: 0)
        Task { @concurrent in
            do { outcome.result = .success(try await body.value()) } catch { outcome.result = .failure(error) }
            semaphore.signal()
        }
        semaphore.wait()
        guard let result = outcome.result else { fatalError("the task has ended without a result") }
        return try result.get()
    }
}
