internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime
internal import Synchronization

/// Follows the records as they are written, and counts them.
///
/// It reads each record once, by its number in the file. The records from before its start are read from the end
/// backwards, a range at a time, until a day is covered or ``maximumHistory`` is reached. It only reads a file: no
/// stage is asked anything.
final class ActivityFeed: Sendable {
    /// The number of records that are read in one query.
    private static let rowsPerRead: Int64 = 10_000
    /// The largest number of records that are read from before its start.
    private static let maximumHistory: Int64 = 3_000_000
    /// The number of earlier turns that are searched for the workers of each partition.
    private static let workerHistory: Int64 = 20_000
    /// The number of workers' names that are kept.
    private static let maximumWorkers = 2_000
    /// The interval at which records are read.
    static let interval = Duration.seconds(1)
    /// The interval at which groups' lags are queried, and open interactions are counted, while a page shows the feed.
    static let lagInterval = Duration.seconds(3)
    /// The interval at which health is queried while a page shows the feed: it costs one request for each process.
    static let healthInterval = Duration.seconds(1)
    /// The same intervals while no page shows the feed.
    static let idleInterval = Duration.seconds(30)
    /// The time after the last request during which a page is assumed to show the feed.
    static let viewingTime = Duration.seconds(60)

    struct Snapshot: Sendable {
        var series = ActivitySeries()
        /// The last worker of each stage and partition.
        var workers: [WorkerActivity] = []
        /// The number of open interactions; nil before they are counted.
        var open: Int?
        /// The number of those whose first turn has not begun; nil before they are counted.
        var queued: Int?
        /// The number of dead letters; nil before they are counted.
        var letters: Int?
        /// The number of those that operators have marked as handled.
        var handled: Int?
        var groups = GroupLagReport(lags: [], members: [], transactions: [])
        /// When the groups were last measured.
        var groupsAt: Timestamp?
        /// The reason why the groups could not be measured now, in plain words; what is known of them is older.
        var lagProblem: String?
        /// The error itself.
        var lagError: String?
        /// Whether the reason is that the broker does not answer.
        var isBrokerAway = false
        /// The health of lanes, broker and store; empty where nothing reports it.
        var health: [String] = []
        /// When health was last queried.
        var healthAt: Timestamp?
        /// When the records were last read to their end.
        var recordsAt: Timestamp?
        /// When open interactions and dead letters were last counted.
        var countedAt: Timestamp?
        /// Whether there is no record database yet.
        var hasNoRecords = false
        /// The reason why records are not read.
        var problem: String?
        /// Whether all of the last day is covered.
        var isWhole = false
    }

    private struct State {
        var snapshot = Snapshot()
        var nextEvent: Int64?
        var nextTurn: Int64?
        /// Records before this one are still to be read.
        var history: Int64 = 0
        var historyLeft = ActivityFeed.maximumHistory
        var workers: [String: WorkerActivity] = [:]
        var countedAt: ContinuousClock.Instant?
        var countTook = Duration.zero
        var viewedAt: ContinuousClock.Instant?
    }

    private let records: ConsoleRecords
    private let operations: Operations
    private let health: HealthSource?
    private let clock: any RuntimeClock
    private let state = Mutex(State())

    init(
        _ records: ConsoleRecords,
        _ operations: Operations,
        health: HealthSource?,
        clock: any RuntimeClock
    ) {
        self.health = health
        self.records = records
        self.operations = operations
        self.clock = clock
    }

    var snapshot: Snapshot {
        self.state.withLock { state in
            state.viewedAt = .now
            return state.snapshot
        }
    }

    /// Whether a page shows the feed.
    private var isViewed: Bool {
        self.state.withLock { state in state.viewedAt.map { .now - $0 < Self.viewingTime } ?? false }
    }

    /// Repeats the body: often while a page shows the feed, and soon after one opens.
    private func repeatedly(_ interval: Duration, _ body: @Sendable () async -> Void) async {
        while !Task.isCancelled {
            await body()
            let next = ContinuousClock.now + Self.idleInterval
            repeat {
                try? await Task.sleep(for: interval)
            } while !Task.isCancelled && !self.isViewed
                && .now < next
        }
    }

    /// Follows until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    let isBehind = await self.poll()
                    try? await Task.sleep(for: isBehind ? .milliseconds(20) : Self.interval)
                }
            }
            group.addTask { await self.repeatedly(Self.lagInterval) { await self.readLags() } }
            group.addTask { await self.repeatedly(Self.healthInterval) { await self.askHealth() } }
            await group.waitForAll()
        }
    }

    /// Reads the new records and a range of the earlier ones; returns whether there is more to read at once.
    func poll() async -> Bool {
        do {
            let archive = try await self.records.archive(.feed)
            let last = try await archive.lastRows()
            var isBehind = try await self.follow(archive, upTo: last.events)
            try await self.followWorkers(archive, upTo: last.turns)
            isBehind = try await self.readHistory(archive) || isBehind
            try await self.count(archive)
            let now = self.clock.now
            self.state.withLock { state in
                state.snapshot.problem = nil
                state.snapshot.hasNoRecords = false
                state.snapshot.recordsAt = now
            }
            return isBehind
        } catch let error as StoreError where error.code == .file {
            await self.records.forget()
            self.state.withLock { $0.snapshot.hasNoRecords = true }
            return false
        } catch {
            await self.records.forget()
            self.state.withLock { $0.snapshot.problem = "\(error)" }
            return false
        }
    }

    private func follow(_ archive: RecordArchive, upTo last: Int64) async throws -> Bool {
        let first = self.state.withLock { state in
            // After a file was recreated, reading begins again.
            if let next = state.nextEvent, next <= last + 1 { return next }
            state.nextEvent = last + 1
            state.history = last + 1
            state.historyLeft = Self.maximumHistory
            state.snapshot.series = ActivitySeries()
            state.snapshot.isWhole = last == 0
            return last + 1
        }
        guard first <= last else { return false }
        let end = min(last + 1, first + Self.rowsPerRead)
        let rows = try await archive.activity(first..<end)
        let now = self.clock.now
        self.state.withLock { state in
            state.nextEvent = end
            for row in rows { state.snapshot.series.add(row, now: now) }
            state.snapshot.series.forget(before: now)
        }
        return end <= last
    }

    private func readHistory(_ archive: RecordArchive) async throws -> Bool {
        let (end, left) = self.state.withLock { ($0.snapshot.isWhole ? 0 : $0.history, $0.historyLeft) }
        guard end > 1, left > 0 else {
            self.state.withLock { $0.snapshot.isWhole = $0.snapshot.isWhole || end <= 1 }
            return false
        }
        let first = max(1, end - Self.rowsPerRead)
        let rows = try await archive.activity(first..<end)
        let now = self.clock.now
        let dayAgo = now + -86_400_000
        self.state.withLock { state in
            state.history = first
            state.historyLeft -= end - first
            for row in rows { state.snapshot.series.add(row, now: now) }
            if let newest = rows.map(\.timestamp).max(), newest < dayAgo { state.snapshot.isWhole = true }
            if first == 1 { state.snapshot.isWhole = true }
        }
        return true
    }

    private func followWorkers(_ archive: RecordArchive, upTo last: Int64) async throws {
        let first = self.state.withLock { state in
            if let next = state.nextTurn, next <= last + 1 { return next }
            state.workers = [:]
            return max(1, last + 1 - Self.workerHistory)
        }
        let end = min(last + 1, first + Self.workerHistory)
        let found = first < end ? try await archive.workers(first..<end) : []
        self.state.withLock { state in
            state.nextTurn = end
            for one in found {
                let key = "\(one.stage)/\(one.partition)"
                if let known = state.workers[key], known.lastAt > one.lastAt { continue }
                guard state.workers.count < Self.maximumWorkers || state.workers[key] != nil else { continue }
                state.workers[key] = one
            }
            if !found.isEmpty { state.snapshot.workers = Array(state.workers.values) }
        }
    }

    /// Counts what is open; since this reads every interaction, it uses at most a twentieth of the time.
    private func count(_ archive: RecordArchive) async throws {
        let isDue = self.state.withLock { state in
            let isViewed = state.viewedAt.map { .now - $0 < Self.viewingTime } ?? false
            let rest = max(isViewed ? .seconds(1) : Self.idleInterval, state.countTook * 20)
            return state.countedAt.map { .now - $0 > rest } ?? true
        }
        guard isDue else { return }
        let began = ContinuousClock.now
        let counts = try await archive.openCounts()
        let now = self.clock.now
        self.state.withLock { state in
            state.snapshot.countedAt = now
            state.countedAt = .now
            state.countTook = .now - began
            state.snapshot.open = counts.interactions
            state.snapshot.queued = counts.queued
            state.snapshot.letters = counts.letters
            state.snapshot.handled = counts.handled
        }
    }

    private func askHealth() async {
        guard let health = self.health else { return }
        let lines = await health.lines()
        let now = self.clock.now
        self.state.withLock { state in
            state.snapshot.health = lines
            state.snapshot.healthAt = now
        }
    }

    func readLags() async {
        do {
            let groups = try await self.operations.groups()
            let now = self.clock.now
            self.state.withLock { state in
                state.snapshot.groups = groups
                state.snapshot.groupsAt = now
                state.snapshot.lagProblem = nil
                state.snapshot.lagError = nil
                state.snapshot.isBrokerAway = false
            }
        } catch let error as OperationError {
            self.noteLags("\(error.message)", error: nil, isBrokerAway: false)
        } catch {
            let isAway = (error as? LogError)?.code == .unavailable
            let problem = isAway ? "The broker does not answer." : "Lag and members of the groups cannot be read."
            self.noteLags(problem, error: "\(error)", isBrokerAway: isAway)
        }
    }

    private func noteLags(_ problem: String, error: String?, isBrokerAway: Bool) {
        self.state.withLock { state in
            state.snapshot.lagProblem = problem
            state.snapshot.lagError = error
            state.snapshot.isBrokerAway = isBrokerAway
        }
    }
}
