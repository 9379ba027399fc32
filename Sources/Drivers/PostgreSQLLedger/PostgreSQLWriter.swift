#if PostgreSQL
internal import Dispatch
internal import Foundation
internal import IntentKit
internal import Synchronization

/// One connection that writes, with a queue of its own: jobs that wait share a transaction, each in its own savepoint.
///
/// `@unchecked Sendable`: the connection is used on the queue alone.
final class PostgreSQLWriter: @unchecked Sendable {
    /// A job and its waiting caller.
    struct Job: Sendable {
        /// The work; if it throws, only its own changes are undone.
        var body: @Sendable (PostgreSQLConnection) throws -> JSONValue
        /// Resumed when the result is on disk, or with the error.
        var continuation: CheckedContinuation<JSONValue, any Error>
    }

    /// The maximum number of jobs in one transaction: the more it holds, the more it conflicts with others.
    private static let maximumGroup = 32
    /// The tries beside other writers, after which a transaction runs alone and cannot conflict.
    private static let triesBesideOthers = 2
    /// How long a group is tried again before its callers get a transient error.
    private static let timeout = Duration.seconds(5)

    private let connect: @Sendable () throws -> PostgreSQLConnection
    private let queue: DispatchQueue
    private let waiting = Mutex<[Job]>([])
    private var connection: PostgreSQLConnection?

    /// Makes a writer, which connects when it is needed.
    init(_ number: Int, connect: @escaping @Sendable () throws -> PostgreSQLConnection) {
        self.connect = connect
        self.queue = DispatchQueue(label: "intentd.store.write.\(number)")
    }

    /// Submits a job; never waits.
    func submit(_ job: Job) {
        let isFirst = self.waiting.withLock { waiting in
            waiting.append(job)
            return waiting.count == 1
        }
        guard isFirst else { return }
        self.queue.async {
            var rest = self.waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting[...]
            }
            while !rest.isEmpty {
                let group = Array(rest.prefix(Self.maximumGroup))
                rest = rest.dropFirst(group.count)
                for (job, outcome) in zip(group, self.outcomes(of: group)) { job.continuation.resume(with: outcome) }
            }
        }
    }

    /// Runs a group until its outcome is known.
    ///
    /// When the connection breaks during the commit, it is unknown whether the transaction was committed. Then the
    /// group runs again, and each job first asks the ledger: what was committed is found, and what was not is made now.
    /// A transaction that the server still works on holds its rows, and is waited for.
    private func outcomes(of group: [Job]) -> [Result<JSONValue, any Error>] {
        let end = ContinuousClock.now + Self.timeout
        var tries = 0
        while true {
            do {
                tries += 1
                return try self.run(group, isAlone: tries > Self.triesBesideOthers)
            } catch let failure as PostgreSQLFailure {
                guard ContinuousClock.now < end else {
                    return group.map { _ in .failure(StoreBusyError(failure.description)) }
                }
                if failure.kind == .lost { Thread.sleep(forTimeInterval: 0.1) }
            } catch let error as StoreError where group.count > 1 {
                // A constraint that is checked at the commit: only the job that violates it fails.
                return error.code == .constraint
                    ? group.flatMap { self.outcomes(of: [$0]) } : group.map { _ in .failure(error) }
            } catch {
                return group.map { _ in .failure(error) }
            }
        }
    }

    private func run(_ group: [Job], isAlone: Bool) throws -> [Result<JSONValue, any Error>] {
        let connection = try self.connection ?? self.connect()
        self.connection = connection
        do {
            // The lock is taken before the first query, so that the transaction's view begins after those that it waits
            // for. LOCK takes no view.
            try connection.script(
                """
                BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE;
                LOCK TABLE store IN \(isAlone ? "EXCLUSIVE" : "ROW SHARE") MODE; SAVEPOINT job
                """
            )
            let outcomes = try group.map { try self.outcome(of: $0, connection) }
            guard try connection.script("COMMIT") == "COMMIT" else {
                throw PostgreSQLFailure(kind: .conflict, description: "COMMIT rolled the transaction back.")
            }
            return outcomes
        } catch {
            if !connection.isLost { _ = try? connection.script("ROLLBACK") }
            if connection.isLost { self.connection = nil }
            throw error
        }
    }

    private func outcome(of job: Job, _ connection: PostgreSQLConnection) throws -> Result<JSONValue, any Error> {
        do {
            let value = try job.body(connection)
            try connection.script("RELEASE job; SAVEPOINT job")
            return .success(value)
        } catch let failure as PostgreSQLFailure {
            throw failure
        } catch {
            try connection.script("ROLLBACK TO job")
            return .failure(error)
        }
    }
}
#endif
