internal import GRDB
internal import IntentKit
internal import SQLiteStore

/// Runs a group of jobs in one write transaction, each in a savepoint of its own, and answers after the commit.
enum GroupCommit {
    /// A job and its waiting caller.
    struct Job: Sendable {
        /// The work; if it throws, only its own changes are undone.
        var body: @Sendable (Database) throws -> JSONValue
        /// Resumed when the result is on disk, or with the error.
        var continuation: CheckedContinuation<JSONValue, any Error>
    }

    /// The maximum number of jobs in one transaction, so that a long queue does not delay its first caller.
    static let maximumGroup = 256

    /// Runs the jobs in order.
    static func run(_ jobs: [Job], _ database: Database) {
        var rest = jobs[...]
        while !rest.isEmpty {
            let group = Array(rest.prefix(Self.maximumGroup))
            rest = rest.dropFirst(group.count)
            for (job, outcome) in zip(group, Self.outcomes(of: group, database)) {
                job.continuation.resume(with: outcome.mapError(StoreError.translating))
            }
        }
    }

    private static func outcomes(of group: [Job], _ database: Database) -> [Result<JSONValue, any Error>] {
        var outcomes: [Result<JSONValue, any Error>?] = Array(repeating: nil, count: group.count)
        var open = Array(group.indices)
        attempts: while !open.isEmpty {
            do {
                if database.isInsideTransaction { try database.rollback() }
                try database.beginTransaction(.immediate)
                for (position, index) in open.enumerated() {
                    outcomes[index] = Self.outcome(of: group[index], database)
                    guard database.isInsideTransaction else {
                        // A full disk, or a trigger that raises ROLLBACK, has undone the whole transaction: this job
                        // has failed, and the earlier ones are run again.
                        if case .success = outcomes[index] {
                            outcomes[index] = .failure(
                                StoreError(.forbiddenStatement, "The effect ended the ledger's transaction.")
                            )
                        }
                        open.remove(at: position)
                        continue attempts
                    }
                }
                try database.commit()
            } catch {
                try? database.rollback()
                // A constraint that is checked at the commit: only the job that violates it fails.
                let isViolated = (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
                for index in open {
                    outcomes[index] =
                        isViolated && open.count > 1
                        ? Self.outcomes(of: [group[index]], database)[0] : .failure(error)
                }
            }
            break
        }
        return outcomes.map { $0 ?? .failure(StoreError(.sqlite, "The job was not run.")) }
    }

    private static func outcome(of job: Job, _ database: Database) -> Result<JSONValue, any Error> {
        do {
            try database.execute(sql: "SAVEPOINT job")
        } catch {
            return .failure(error)
        }
        do {
            let value = try job.body(database)
            if database.isInsideTransaction { try database.execute(sql: "RELEASE job") }
            return .success(value)
        } catch {
            if database.isInsideTransaction {
                do {
                    try database.execute(sql: "ROLLBACK TO job; RELEASE job")
                } catch {
                    // The body's changes cannot be undone alone, so nothing of the group may stay.
                    try? database.rollback()
                }
            }
            return .failure(error)
        }
    }
}
