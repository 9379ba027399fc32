internal import IntentKit

/// A database server with PostgreSQL's failures, as the ledger on it meets them (ServerLedger.md).
///
/// A transaction has the rows of its interactions to itself until it ends. It may be undone because another one came
/// between, and its connection may break before the commit, or after it: then it runs again, and asks the ledger first. A
/// process that is killed or stopped in the middle leaves its rows held until the server gives its transaction up.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedServer: @unchecked Sendable {
    private struct Holder {
        var transaction: Int
        var since: Int64
    }

    private struct Busy: TransientError {}

    /// How long a transaction waits for another one's rows, and how long a group is tried again.
    private static let timeout = Duration.seconds(5)
    /// How long the server waits for the next statement of an open transaction.
    private static let idleTimeout = Duration.seconds(10)

    private let scheduler: Scheduler
    private let faults: Faults
    private let trace: Trace
    private var holders: [String: Holder] = [:]
    private var transactions = 0

    /// Creates a server without transactions.
    init(scheduler: Scheduler, faults: Faults, trace: Trace) {
        self.scheduler = scheduler
        self.faults = faults
        self.trace = trace
    }

    /// Commits a body's changes, and returns its value when it is known that they are committed.
    func transaction<Value>(on rows: Set<String>, _ body: () throws -> Value) async throws -> Value {
        let began = self.scheduler.now
        while true {
            if let value = try await self.attempt(on: rows, body) { return value }
            guard !self.isOver(Self.timeout, since: began) else { throw Busy() }
            await self.scheduler.rest(for: .milliseconds(100))
        }
    }

    /// Nil when the transaction has to run again, whether it was committed or not.
    private func attempt<Value>(on rows: Set<String>, _ body: () throws -> Value) async throws -> Value? {
        await self.faults.hop(.effect)
        if self.faults.fails("the server does not answer", 0.5) { return nil }
        self.transactions += 1
        let number = self.transactions
        try await self.hold(rows, number)
        defer { self.release(rows, number) }
        await self.faults.hop(.effect)
        guard rows.allSatisfy({ self.isHeld($0, by: number) }) else {
            self.trace.record("transaction \(number) was given up by the server")
            return nil
        }
        if self.faults.fails("transaction \(number) does not fit in with another one", 0.5) { return nil }
        if self.faults.fails("a connection breaks before the commit", 0.5) { return nil }
        let value = try body()
        self.release(rows, number)
        await self.faults.hop(.effectMade)
        guard self.faults.fails("a connection breaks after the commit", 0.5) else { return value }
        // Where the server stays away, the caller is told to try again, although it was done.
        if self.faults.coin() { throw Busy() }
        return nil
    }

    private func hold(_ rows: Set<String>, _ number: Int) async throws {
        let began = self.scheduler.now
        while rows.contains(where: { row in
            self.holders[row].map { !self.isOver(Self.idleTimeout, since: $0.since) } ?? false
        }) {
            guard !self.isOver(Self.timeout, since: began) else { throw Busy() }
            await self.scheduler.rest(for: .milliseconds(20))
        }
        for row in rows { self.holders[row] = Holder(transaction: number, since: self.scheduler.now) }
    }

    private func isHeld(_ row: String, by number: Int) -> Bool {
        guard let holder = self.holders[row], holder.transaction == number else { return false }
        return !self.isOver(Self.idleTimeout, since: holder.since)
    }

    private func release(_ rows: Set<String>, _ number: Int) {
        for row in rows where self.holders[row]?.transaction == number { self.holders[row] = nil }
    }

    /// Whether that time has passed; times are in microseconds.
    private func isOver(_ duration: Duration, since began: Int64) -> Bool {
        self.scheduler.now - began >= Int64(duration / .microseconds(1))
    }
}
