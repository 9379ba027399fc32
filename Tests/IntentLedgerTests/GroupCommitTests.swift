import GRDB
import IntentKit
import Synchronization
import Testing

@testable import IntentLedger

@Suite("Jobs that share a transaction", .timeLimit(.minutes(1)))
struct GroupCommitTests {
    private struct Refusal: Error {}

    private typealias Outcome = Result<JSONValue, any Error>
    private typealias Body = @Sendable (Database) throws -> JSONValue

    /// Gathers jobs; the last one runs all.
    private final class Jobs: Sendable {
        private let count: Int
        private let jobs = Mutex<[Int: GroupCommit.Job]>([:])

        init(count: Int) { self.count = count }

        /// The result of a job.
        func run(_ body: @escaping Body, at index: Int, _ queue: DatabaseQueue) async -> Outcome {
            do {
                let value = try await withCheckedThrowingContinuation { continuation in
                    let all = self.jobs.withLock { jobs in
                        jobs[index] = GroupCommit.Job(body: body, continuation: continuation)
                        return jobs
                    }
                    guard all.count == self.count else { return }
                    let ready = all.sorted { $0.key < $1.key }.map(\.value)
                    queue.inDatabase { GroupCommit.run(ready, $0) }
                }
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Runs jobs as one group on a table of notes; returns the result of each, and the notes.
    private static func run(_ bodies: [Body]) async throws -> (outcomes: [Outcome], notes: [String]) {
        let queue = try DatabaseQueue()
        try await queue.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT NOT NULL)") }
        let jobs = Jobs(count: bodies.count)
        let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, body) in bodies.enumerated() {
                group.addTask { (index, await jobs.run(body, at: index, queue)) }
            }
            var all: [Int: Outcome] = [:]
            for await (index, outcome) in group { all[index] = outcome }
            return all.sorted { $0.key < $1.key }.map(\.value)
        }
        let notes = try await queue.read { try String.fetchAll($0, sql: "SELECT text FROM notes ORDER BY rowid") }
        return (outcomes, notes)
    }

    private static func record(_ text: String, then failure: (any Error)? = nil) -> Body {
        { database in
            try database.execute(sql: "INSERT INTO notes VALUES (?)", arguments: [text])
            if let failure { throw failure }
            return .string(text)
        }
    }

    private static func values(_ outcomes: [Outcome]) -> [String?] {
        outcomes.map { try? $0.get().string }
    }

    @Test("A job that fails is undone alone, wherever it is in the group")
    func failedJobIsUndoneAlone() async throws {
        for index in 0..<3 {
            let bodies = (0..<3).map { Self.record("\($0)", then: $0 == index ? Refusal() : nil) }
            let (outcomes, notes) = try await Self.run(bodies)
            let rest = (0..<3).filter { $0 != index }.map { "\($0)" }
            #expect(notes == rest)
            #expect(Self.values(outcomes) == (0..<3).map { $0 == index ? nil : "\($0)" })
        }
    }

    @Test("A job that ends the transaction gets an error, and the others run again without it")
    func jobThatEndsTransactionIsRefusedAlone() async throws {
        let ending: Body = { database in
            try database.execute(sql: "ROLLBACK")
            return "done"
        }
        let (outcomes, notes) = try await Self.run([Self.record("a"), ending, Self.record("b")])
        #expect(Self.values(outcomes) == ["a", nil, "b"])
        #expect(notes == ["a", "b"])
        let error = #expect(throws: StoreError.self) { try outcomes[1].get() }
        #expect(error?.code == .forbiddenStatement)
    }

    @Test("More jobs than one transaction takes run in order, in several")
    func splitsManyJobsIntoTransactions() async throws {
        let count = GroupCommit.maximumGroup * 2 + 3
        let (outcomes, notes) = try await Self.run((0..<count).map { Self.record("\($0)") })
        #expect(notes == (0..<count).map(String.init))
        #expect(Self.values(outcomes) == notes)
    }
}
