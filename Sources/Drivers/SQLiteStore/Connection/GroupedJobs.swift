package import GRDB
internal import Synchronization

/// Jobs for one connection, run in groups on the connection's own dispatch queue.
///
/// Submitting never waits, so it can be called from Swift's cooperative pool. All jobs that were submitted during one
/// group form the next group: the busier the connection, the larger its transactions.
package final class GroupedJobs<Job: Sendable>: Sendable {
    private let connection: DatabaseQueue
    private let run: @Sendable ([Job], Database) -> Void
    private let waiting = Mutex<[Job]>([])

    /// Makes a queue.
    /// - Parameters:
    ///   - connection: The connection.
    ///   - run: Runs one group, in the order of submission.
    package init(_ connection: DatabaseQueue, run: @escaping @Sendable ([Job], Database) -> Void) {
        self.connection = connection
        self.run = run
    }

    package func submit(_ job: Job) {
        let isFirst = self.waiting.withLock { waiting in
            waiting.append(job)
            return waiting.count == 1
        }
        guard isFirst else { return }
        self.connection.asyncWriteWithoutTransaction { database in
            let group = self.waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            self.run(group, database)
        }
    }
}
