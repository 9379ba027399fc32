internal import IntentEvents
internal import IntentKit

/// What a lane holds for one partition: state, deadlines, running turns.
///
/// Used by the lane's task alone.
final class PartitionWork {
    /// A turn that runs although its batch is committed.
    struct RunningTurn {
        /// Its name in the mailbox.
        var token: Int
        /// Its task.
        var task: Task<Void, Never>
    }

    private struct Remembered {
        var user: String
        var name: String
        var until: Timestamp
    }

    let partition: Int
    let table = StateTable()
    /// The digest of the last turn (SPEC R41).
    var chain = ""
    /// The next offset of each input topic's partition.
    var positions: [TopicPartition: Int64] = [:]
    private(set) var timers = TimerQueue()
    /// Running turns by user.
    private(set) var running: [String: RunningTurn] = [:]
    /// Users behind whose parked turns an event waits that overtakes them (SPEC R5).
    private var overtaken: Set<String> = []
    /// Remembered interactions, the one to be forgotten next first.
    private var remembered: [Remembered] = []
    private var forgotten = 0
    private let dedupeWindow: Int64

    init(partition: Int, settings: RuntimeSettings) {
        self.partition = partition
        self.dedupeWindow = settings.dedupeWindow.milliseconds
    }

    // MARK: State

    /// Takes a state entry over after it was committed, or as it was read back.
    func take(_ name: String, user: String, _ value: [UInt8]?) {
        self.table.set(name, user: user, value)
        guard let value else { return }
        if PendingTimer.mayHave(name) {
            guard let json = try? JSONValue(parsing: value) else { return }
            for timer in PendingTimer.timers(of: json, name: name, user: user) { self.timers.insert(timer) }
        } else if name.hasPrefix(StateName.knownInteractions) {
            guard let json = try? JSONValue(parsing: value), let at = json["at"]?.integer else { return }
            let until = Timestamp(milliseconds: at) + self.dedupeWindow
            self.remembered.append(Remembered(user: user, name: name, until: until))
        }
    }

    /// Puts what was read back in order, before the first batch.
    func finishRestoring() {
        self.remembered.sort { $0.until < $1.until }
    }

    /// Entries that are no longer needed, at most so many at a time: interactions that ended long ago.
    func takeForgotten(at now: Timestamp, limit: Int) -> [String: [String]] {
        var names: [String: [String]] = [:]
        var count = 0
        while self.forgotten < self.remembered.count, self.remembered[self.forgotten].until <= now, count < limit {
            let entry = self.remembered[self.forgotten]
            self.forgotten += 1
            count += 1
            guard let value = self.table.value(entry.name, user: entry.user), let json = try? JSONValue(parsing: value),
                let known = KnownInteraction(json: json), known.whereabouts != .here,
                known.at + self.dedupeWindow <= now
            else { continue }
            names[entry.user, default: []].append(entry.name)
        }
        if self.forgotten > 1_024, self.forgotten * 2 > self.remembered.count {
            self.remembered.removeFirst(self.forgotten)
            self.forgotten = 0
        }
        return names
    }

    // MARK: Timers

    /// Takes out the deadlines that have come and are still current, with their events.
    func takeDueTimers(at now: Timestamp, stage: Stage, limit: Int) -> [(draft: EventDraft, ordinal: String)] {
        self.timers.takeDue(at: now, limit: limit)
            .compactMap { timer in
                guard let value = self.table.value(timer.name, user: timer.user),
                    let json = try? JSONValue(parsing: value)
                else { return nil }
                return timer.event(for: json, stage: stage, now: now)
            }
    }

    // MARK: Running turns

    /// Keeps a turn that goes on after its batch.
    func keep(_ turn: RunningTurn, user: String) {
        self.running[user] = turn
    }

    /// Notes that an event waits behind this user's parked turn that overtakes it.
    func noteOvertaking(user: String) { self.overtaken.insert(user) }

    /// Takes out the users behind whose parked turns such an event waits.
    func takeOvertaken() -> Set<String> {
        defer { self.overtaken = [] }
        return self.overtaken
    }

    /// Forgets a turn that has come to its end, or that nobody waits for any more.
    func drop(user: String) {
        self.running.removeValue(forKey: user)?.task.cancel()
    }

    /// Cancels everything that runs: the partition is somebody else's now.
    func cancelAll() {
        for turn in self.running.values { turn.task.cancel() }
        self.running = [:]
    }

    /// The parked turn of a user that waits for nothing and does not run, for example after a restart.
    func idleParkedTurn(user: String) -> ParkedTurn? {
        guard self.running[user] == nil, let value = self.table.value(StateName.parked, user: user),
            let json = try? JSONValue(parsing: value), let parked = ParkedTurn(json: json), parked.retryAt == nil
        else { return nil }
        return parked
    }
}
