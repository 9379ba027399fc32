internal import IntentEvents
internal import IntentRuntime
internal import IntentStore
internal import Synchronization

/// Follows the records as they are written, and counts them.
///
/// It reads each record once, by its number in the file: what came before it began from the end backwards, a stretch at a
/// time, until a day is told or ``maximumHistory`` is read. All of it is reading of a file: no stage is asked anything.
final class ActivityFeed: Sendable {
    /// How many records are read in one query.
    private static let stretch: Int64 = 10_000
    /// How many records from before it began are read at most.
    private static let maximumHistory: Int64 = 3_000_000
    /// How many turns from before it began are looked at for who works what.
    private static let workerHistory: Int64 = 20_000
    /// How many names of workers are kept.
    private static let maximumWorkers = 2_000
    /// How often records are looked at.
    static let interval = Duration.seconds(1)
    /// How often groups are asked how far behind they are, and what is open is counted, while somebody looks.
    static let lagInterval = Duration.seconds(3)
    /// How often that is while nobody looks.
    static let idleInterval = Duration.seconds(30)
    /// How long after the last look somebody may still be there.
    static let lookingTime = Duration.seconds(60)

    /// What is known.
    struct Snapshot: Sendable {
        /// What came when.
        var series = ActivitySeries()
        /// Who worked what last, by stage and partition.
        var workers: [WorkerActivity] = []
        /// How many interactions are open; nil before they are counted.
        var open: Int?
        /// How many dead letters there are; nil before they are counted.
        var letters: Int?
        /// How far groups are behind.
        var lags: [ConsoleLag] = []
        /// Who reads for them; nil where that is not told.
        var members: [ConsoleMember]?
        /// Why that is not known.
        var lagProblem: String?
        /// What lanes, broker and store say of themselves; empty where nobody tells.
        var health: [String] = []
        /// Why records are not read.
        var problem: String?
        /// Whether all of the last day is told.
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
        var lookedAt: ContinuousClock.Instant?
    }

    private let records: ConsoleRecords
    private let groups: (@Sendable () async throws -> ConsoleGroups)?
    private let health: (@Sendable () async throws -> [String])?
    private let clock: any RuntimeClock
    private let state = Mutex(State())

    /// Prepares to follow.
    init(
        _ records: ConsoleRecords,
        groups: (@Sendable () async throws -> ConsoleGroups)?,
        health: (@Sendable () async throws -> [String])?,
        clock: any RuntimeClock
    ) {
        self.health = health
        self.records = records
        self.groups = groups
        self.clock = clock
    }

    /// What is known now.
    var snapshot: Snapshot {
        self.state.withLock { state in
            state.lookedAt = .now
            return state.snapshot
        }
    }

    /// Whether somebody looks.
    private var isLookedAt: Bool {
        self.state.withLock { state in state.lookedAt.map { .now - $0 < Self.lookingTime } ?? false }
    }

    /// Does something now and then: often while somebody looks, and soon after somebody begins to.
    private func repeatedly(_ body: @Sendable () async -> Void) async {
        while !Task.isCancelled {
            await body()
            let next = ContinuousClock.now + Self.idleInterval
            repeat {
                try? await Task.sleep(for: Self.lagInterval)
            } while !Task.isCancelled && !self.isLookedAt
                && .now < next
        }
    }

    /// Follows until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    let isBehind = await self.look()
                    try? await Task.sleep(for: isBehind ? .milliseconds(20) : Self.interval)
                }
            }
            group.addTask { await self.repeatedly { await self.lookAtLags() } }
            group.addTask { await self.repeatedly { await self.askHealth() } }
            await group.waitForAll()
        }
    }

    /// Reads what came, and a stretch of what came before; whether there is more to read at once.
    func look() async -> Bool {
        do {
            let archive = try await self.records.archive(.feed)
            let last = try await archive.lastRows()
            var isBehind = try await self.follow(archive, upTo: last.events)
            try await self.followWorkers(archive, upTo: last.turns)
            isBehind = try await self.lookBack(archive) || isBehind
            try await self.count(archive)
            self.state.withLock { $0.snapshot.problem = nil }
            return isBehind
        } catch {
            await self.records.forget()
            self.state.withLock { $0.snapshot.problem = "\(error)" }
            return false
        }
    }

    private func follow(_ archive: RecordArchive, upTo last: Int64) async throws -> Bool {
        let first = self.state.withLock { state in
            // A file that was made anew begins anew.
            if let next = state.nextEvent, next <= last + 1 { return next }
            state.nextEvent = last + 1
            state.history = last + 1
            state.historyLeft = Self.maximumHistory
            state.snapshot.series = ActivitySeries()
            state.snapshot.isWhole = last == 0
            return last + 1
        }
        guard first <= last else { return false }
        let end = min(last + 1, first + Self.stretch)
        let rows = try await archive.activity(first..<end)
        let now = self.clock.now
        self.state.withLock { state in
            state.nextEvent = end
            for row in rows { state.snapshot.series.add(row, now: now) }
            state.snapshot.series.forget(before: now)
        }
        return end <= last
    }

    private func lookBack(_ archive: RecordArchive) async throws -> Bool {
        let (end, left) = self.state.withLock { ($0.snapshot.isWhole ? 0 : $0.history, $0.historyLeft) }
        guard end > 1, left > 0 else {
            self.state.withLock { $0.snapshot.isWhole = $0.snapshot.isWhole || end <= 1 }
            return false
        }
        let first = max(1, end - Self.stretch)
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
                let place = "\(one.stage)/\(one.partition)"
                if let known = state.workers[place], known.lastAt > one.lastAt { continue }
                guard state.workers.count < Self.maximumWorkers || state.workers[place] != nil else { continue }
                state.workers[place] = one
            }
            if !found.isEmpty { state.snapshot.workers = Array(state.workers.values) }
        }
    }

    /// Counts what is open; as it takes a look at every interaction, at most a twentieth of the time.
    private func count(_ archive: RecordArchive) async throws {
        let isDue = self.state.withLock { state in
            let isLookedAt = state.lookedAt.map { .now - $0 < Self.lookingTime } ?? false
            let rest = max(isLookedAt ? .seconds(1) : Self.idleInterval, state.countTook * 20)
            return state.countedAt.map { .now - $0 > rest } ?? true
        }
        guard isDue else { return }
        let began = ContinuousClock.now
        let counts = try await archive.openCounts()
        self.state.withLock { state in
            state.countedAt = .now
            state.countTook = .now - began
            state.snapshot.open = counts.interactions
            state.snapshot.letters = counts.letters
        }
    }

    private func askHealth() async {
        guard let health = self.health else { return }
        // Somebody who does not answer is not well, whatever the reason.
        let lines: [String]
        do { lines = try await health() } catch { lines = ["NOT OK: \(error)"] }
        self.state.withLock { $0.snapshot.health = lines }
    }

    private func lookAtLags() async {
        guard let groups = self.groups else {
            return self.state.withLock { $0.snapshot.lagProblem = "No broker is known: only records are shown." }
        }
        do {
            let found = try await groups()
            self.state.withLock { state in
                state.snapshot.lags = found.lags
                state.snapshot.members = found.members
                state.snapshot.lagProblem = nil
            }
        } catch {
            self.state.withLock { $0.snapshot.lagProblem = "\(error)" }
        }
    }
}
