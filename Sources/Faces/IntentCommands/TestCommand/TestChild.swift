import Foundation
import IntentEvents
import IntentKit
import IntentOperations
import IntentScenarios
import Synchronization

/// The process that plays scenarios for another one, which survives when a handler ends this one.
///
/// It reads what to play from one pipe, and writes what it knows to another, a JSON object a line: first who it is, then
/// each result when it is known, last what was replayed. When the first pipe is closed, its parent has ended, and so
/// does this process.
final class TestChild: Sendable {
    /// What a process plays.
    struct Plan {
        /// The directory of its broker and its store.
        var data: String
        /// The scenarios, by their place in all files.
        var scenarios: [Int]

        var json: JSONValue {
            ["data": .string(self.data), "scenarios": .array(self.scenarios.map { .integer(Int64($0)) })]
        }

        init(data: String, scenarios: [Int]) {
            self.data = data
            self.scenarios = scenarios
        }

        init?(_ json: JSONValue) {
            guard let data = json["data"]?.string, let scenarios = json["scenarios"]?.array else { return nil }
            self.init(data: data, scenarios: scenarios.compactMap { $0.integer.map(Int.init) })
        }
    }

    /// The variable that makes a process a child: the number of the descriptor that it writes to.
    static let variable = "INTENTD_TEST_CHILD"
    /// The descriptor that it writes to.
    static let output: Int32 = 3
    /// The descriptor that it reads from.
    static let input: Int32 = 4

    /// Whether another process of the same program can be started with the same arguments: not in tests, which call
    /// commands as functions.
    @TaskLocal static var isPossible = false

    let plan: Plan
    /// Lines are written whole.
    private let lock = Mutex(())

    private init(_ plan: Plan) { self.plan = plan }

    /// This process as a child; nil when it is none.
    /// - Throws: ``OperationError``, `internalError`, when the parent's plan cannot be read.
    static func ofProcess() throws(OperationError) -> TestChild? {
        guard Self.isPossible, ProcessInfo.processInfo.environment[Self.variable] == "\(Self.output)" else {
            return nil
        }
        // Programs that handlers start are no children.
        unsetenv(Self.variable)
        _ = fcntl(Self.output, F_SETFD, FD_CLOEXEC)
        _ = fcntl(Self.input, F_SETFD, FD_CLOEXEC)
        guard let line = Self.readLine(), let json = try? JSONValue(parsing: line), let plan = Plan(json) else {
            throw OperationError(.internalError, "\(Self.variable) is set, but no plan can be read")
        }
        let watch = Thread {
            while Self.readByte() != nil {}
            _exit(ExitStatus.unavailable.rawValue)
        }
        watch.name = "test-parent"
        watch.start()
        return TestChild(plan)
    }

    private static func readLine() -> [UInt8]? {
        var line: [UInt8] = []
        while let byte = Self.readByte() {
            guard byte != 0x0A else { return line }
            line.append(byte)
        }
        return nil
    }

    private static func readByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = read(Self.input, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    /// Says who this process is: with that, its parent finds the turns that it was running.
    func announce(deployment: String, worker: String, run: String) {
        self.write(["deployment": .string(deployment), "worker": .string(worker), "run": .string(run)])
    }

    /// Reports the result of the scenario at a place.
    func report(_ result: ScenarioResult, at index: Int) {
        self.write(["scenario": .integer(Int64(index)), "result": result.json])
    }

    /// Reports what was replayed, and that this is all.
    func finish(_ replay: TestReplay?) { self.write(["end": true, "replay": replay?.json ?? .null]) }

    private func write(_ json: JSONValue) {
        let bytes = json.utf8 + [0x0A]
        self.lock.withLock { _ in
            // Without a parent nobody reads it.
            _ = OutputDescriptor.write(bytes, to: Self.output)
        }
    }
}

/// What replaying the turns of a run has shown.
struct TestReplay: Sendable {
    var turns: Int
    var unmatched: Int
    /// Turns that did not match, in words, with their interactions.
    var differences: [(interactionID: InteractionID?, text: String)]

    var json: JSONValue {
        [
            "turns": .integer(Int64(self.turns)), "unmatched": .integer(Int64(self.unmatched)),
            "differences": .array(
                self.differences.map { ["interaction": $0.interactionID?.json ?? .null, "text": .string($0.text)] }
            ),
        ]
    }

    init(turns: Int, unmatched: Int, differences: [(interactionID: InteractionID?, text: String)]) {
        self.turns = turns
        self.unmatched = unmatched
        self.differences = differences
    }

    init?(_ json: JSONValue) {
        guard let turns = json["turns"]?.integer, let unmatched = json["unmatched"]?.integer else { return nil }
        self.init(
            turns: Int(turns),
            unmatched: Int(unmatched),
            differences: (json["differences"]?.array ?? [])
                .map { ($0["interaction"]?.string.map { InteractionID($0) }, $0["text"]?.string ?? "") }
        )
    }

    /// Adds what another process has replayed.
    mutating func add(_ other: TestReplay) {
        self.turns += other.turns
        self.unmatched += other.unmatched
        self.differences += other.differences
    }
}
