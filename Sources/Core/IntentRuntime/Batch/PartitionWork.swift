internal import IntentEvents
internal import IntentKit

/// A lane's data for one partition: state, deadlines, running turns.
///
/// Only the lane's task uses it.
final class PartitionWork {
    /// A turn that still runs after its batch was committed.
    struct RunningTurn {
        /// Its token in the mailbox.
        var token: Int
        /// Its task; nil for a turn without a result, which is not run again.
        var task: Task<Void, Never>?
    }

    /// The state entry of a turn that is not finished.
    struct TurnPlace: Hashable {
        var user: UserID
        var name: StateName
    }

    let partition: Int
    let table = StateTable()
    /// The users in memory, and when each was last needed.
    var recent = RecentUsers()
    /// The digest of the last turn (R41).
    var chain = ""
    /// The offsets that the chain head names; nil when it names none.
    var read: ReadOffsets?
    /// The entries that differ between memory and the lane's file; nil without a file.
    var unsaved: UnsavedEntries?
    /// The queues behind users' parked turns, including those of evicted users.
    private(set) var queues: [UserID: WaitingQueue] = [:]
    /// Changes of queues: they are written to the lane's file at once, so that they need not stay in memory.
    private var queueWrites: [SpilledEntry] = []
    /// How many events of a queue are in memory.
    private let queueHead: Int
    /// The next offset of each input topic's partition.
    var positions: [TopicPartition: Int64] = [:]
    /// Where reading began in those of which the group had no offset.
    var beginnings: [TopicPartition: Int64] = [:]
    /// The offsets that a commit includes.
    var offsets: [TopicPartition: Int64] { self.beginnings.merging(self.positions) { $1 } }
    private(set) var timers = TimerQueue()
    private(set) var running: [UserID: RunningTurn] = [:]
    /// When the first attempt of each unfinished turn began: of parked turns, and of interactions that wait for their next
    /// attempt (R81d).
    private(set) var unfinished: [TurnPlace: Timestamp] = [:]
    /// The deadlines of interactions that wait for the end of a pause; they come when any pause ends.
    private(set) var held: [TurnPlace: PendingTimer] = [:]
    /// Users with an event that overtakes their parked turn (R5).
    private var overtaken: Set<UserID> = []
    /// Restored entries that cannot be read.
    private(set) var unreadable: [(user: UserID, name: StateName)] = []
    /// Users with known interactions.
    private var expiring: ExpiringUsers

    init(partition: Int, settings: RuntimeSettings, isSaved: Bool = false) {
        self.partition = partition
        self.unsaved = isSaved ? UnsavedEntries() : nil
        self.queueHead = settings.queueHead
        self.expiring = ExpiringUsers(window: settings.dedupeWindow.milliseconds)
    }

    // MARK: State

    /// Sets the queue behind a user's parked turn, before the entries.
    func setQueue(_ queue: WaitingQueue, user: UserID) {
        if !queue.isEmpty { self.queues[user] = queue } else if !self.queues.isEmpty { self.queues[user] = nil }
    }

    /// The entries of a user's queue that the user's next turns need and that are not in memory.
    func missingOfQueue(of user: UserID) -> [StateName] {
        guard !self.queues.isEmpty, let queue = self.queues[user] else { return [] }
        let wanted = queue.head(self.queueHead) + queue.candidates.prefix(64) + queue.unreadable
        return wanted.map { StateName.queued($0) }.filter { self.table.value($0, user: user) == nil }
    }

    /// Removes and returns the changes that have to be written to the lane's file at once.
    func drainQueueWrites() -> [SpilledEntry] {
        defer { self.queueWrites = [] }
        return self.queueWrites
    }

    /// Applies a committed change of a state entry.
    func apply(_ name: StateName, user: UserID, _ entry: StateEntry?) {
        if self.unsaved != nil, let number = name.queueNumber {
            self.queueWrites.append(
                SpilledEntry(partition: self.partition, user: user, name: name, value: entry?.text)
            )
            let isNear = self.queues[user]?.isNear(number, self.queueHead) ?? false
            self.table.set(name, user: user, entry: isNear ? entry : nil)
            return
        }
        if name.hasPrefix(StateName.pauses) {
            self.table.setPause(name, entry?.text)
            if entry == nil { self.release() }
        } else if name == StateName.parked {
            self.record(firstAttempt: entry?.form(ParkedTurn.self)?.startedAt, name, user: user)
        } else if name.hasPrefix(StateName.interactions) {
            self.record(firstAttempt: entry?.form(Interaction.self)?.waiting?.firstAttempt, name, user: user)
            if !self.held.isEmpty { self.held[TurnPlace(user: user, name: name)] = nil }
        }
        if let entry {
            self.insert(PendingTimer.timers(in: entry, name: name, user: user))
            if name.hasPrefix(StateName.knownInteractions),
                !self.table.hasAny(prefix: StateName.knownInteractions, user: user)
            {
                self.expiring.record(user: user, entry.text)
            }
        }
        self.table.set(name, user: user, entry: entry)
        self.unsaved?.record(name, user: user)
    }

    /// The current entries of a user with these names, for the lane's file.
    func entries(of user: UserID, _ names: some Collection<StateName>) -> [SpilledEntry] {
        names.map { name in
            let value = self.table.value(name, user: user)
            return SpilledEntry(partition: self.partition, user: user, name: name, value: value)
        }
    }

    /// Records a restored entry: its deadlines, and its position in the queue; a user's entries are adjacent.
    ///
    /// An unreadable entry is given up in a turn of its own, as soon as there is a batch (R9).
    ///
    /// - Returns: The event that waits in it, if there is one.
    func recordRestored(_ name: StateName, user: UserID, _ value: [UInt8]) -> StoredRecord? {
        if name.hasPrefix(StateName.pauses) { self.table.setPause(name, value) }
        switch StateContent(name, value) {
        case .parked(let turn):
            self.insert(turn.timers(name: name, user: user))
            self.record(firstAttempt: turn.startedAt, name, user: user)
            return turn.event
        case .open(let interaction):
            self.insert(interaction.timers(name: name, user: user))
            self.record(firstAttempt: interaction.waiting?.firstAttempt, name, user: user)
        case .followed(let followed): self.insert(followed.timers(name: name, user: user))
        case .pending(let followUp): self.insert(followUp.timers(name: name, user: user))
        case .queued(let event):
            if let number = name.queueNumber {
                self.queues[user, default: WaitingQueue()].restore(number, WaitingQueue.Kind(event))
            }
            return event.stored
        case .known: self.expiring.recordRestored(user: user, value)
        case .other: break
        case .unreadable:
            if let number = name.queueNumber { self.queues[user, default: WaitingQueue()].restoreUnreadable(number) }
            self.unreadable.append((user, name))
            self.insert([
                PendingTimer(kind: .unreadable, deadline: Timestamp(milliseconds: 0), user: user, name: name)
            ])
            return StoredRecord(waitingIn: name, value)
        }
        return nil
    }

    /// Records when the first attempt of an entry's turn began; nil when the entry has no unfinished turn.
    private func record(firstAttempt: Timestamp?, _ name: StateName, user: UserID) {
        if firstAttempt != nil || !self.unfinished.isEmpty {
            self.unfinished[TurnPlace(user: user, name: name)] = firstAttempt
        }
    }

    private func insert(_ timers: [PendingTimer]) {
        for timer in timers { self.timers.insert(timer) }
    }

    /// Starts the queues without a parked turn.
    func recordResting() {
        for user in self.queues.keys where self.table.value(StateName.parked, user: user) == nil {
            self.overtaken.insert(user)
        }
    }

    /// Sorts what was restored, before the first batch.
    func finishRestoring() { self.expiring.sort() }

    /// Users with interactions that may have ended long enough ago, limited in number.
    func usersWithExpired(at now: Timestamp, limit: Int) -> [UserID] { self.expiring.popDue(at: now, limit: limit) }

    /// The names of the user's expired entries: known interactions that ended long ago.
    ///
    /// The user's state is in memory.
    func expired(of user: UserID, at now: Timestamp) -> [StateName] {
        self.expiring.expired(of: user, in: self.table, at: now)
    }

    // MARK: Timers

    func popDueTimers(at now: Timestamp, limit: Int) -> [PendingTimer] { self.timers.popDue(at: now, limit: limit) }

    /// Puts a deadline off until a pause ends, if its interaction is paused.
    ///
    /// - Returns: Whether it was put off. The user's state is in memory.
    func isHeld(_ timer: PendingTimer, in registry: IntentRegistry) -> Bool {
        guard timer.kind == .resume,
            let interaction = self.table.form(timer.name, user: timer.user, Interaction.self),
            interaction.timers(name: timer.name, user: timer.user).contains(timer)
        else { return false }
        let app = registry[interaction.intent.name]?.extensionName
        guard self.table.pauses.first(holding: interaction.intent.name, of: app) != nil else { return false }
        self.held[TurnPlace(user: timer.user, name: timer.name)] = timer
        return true
    }

    /// Makes the deadlines due that wait for the end of a pause.
    private func release() {
        self.insert(Array(self.held.values))
        self.held = [:]
    }

    /// The event of a due deadline, if it is still current.
    ///
    /// The user's state is in memory.
    func event(of timer: PendingTimer, stage: Stage, now: Timestamp) -> (draft: EventDraft, ordinal: String)? {
        func form<Form: StateForm>(_: Form.Type) -> Form? { self.table.form(timer.name, user: timer.user, Form.self) }
        if timer.name == StateName.parked, timer.kind != .unreadable {
            return form(ParkedTurn.self).flatMap { timer.event(of: $0, stage: stage, now: now) }
        }
        return switch timer.kind {
        case .unreadable:
            self.table.value(timer.name, user: timer.user)
                .flatMap { timer.event(forUnreadable: $0, stage: stage, now: now) }
        case .status: form(FollowedInteraction.self).flatMap { timer.event(of: $0, stage: stage, now: now) }
        case .followUp: form(ScheduledFollowUp.self).flatMap { timer.event(of: $0, stage: stage, now: now) }
        default: form(Interaction.self).flatMap { timer.event(of: $0, stage: stage, now: now) }
        }
    }

    /// Waits again for the deadlines of an entry, one of which was considered due too early.
    func rearm(_ name: StateName, user: UserID) {
        guard let entry = self.table.entry(name, user: user) else { return }
        for timer in PendingTimer.timers(in: entry, name: name, user: user) {
            self.timers.insertOnce(timer)
        }
    }

    // MARK: Running turns

    /// Keeps a turn that continues after its batch.
    func keep(_ turn: RunningTurn, user: UserID) { self.running[user] = turn }

    /// Records that this user's queue has an event that overtakes the parked turn.
    func recordOvertaking(user: UserID) { self.overtaken.insert(user) }

    /// Removes and returns the users with such an event.
    func drainOvertaken() -> Set<UserID> {
        defer { self.overtaken = [] }
        return self.overtaken
    }

    /// Drops a turn that has ended, or whose result is no longer needed.
    func drop(user: UserID) { self.running.removeValue(forKey: user)?.task?.cancel() }

    /// Cancels all running turns: the partition belongs to another lane now.
    func cancelAll() {
        for turn in self.running.values { turn.task?.cancel() }
        self.running = [:]
    }

    /// The user's parked turn if it neither waits for a time nor runs, for example after a restart.
    func idleParkedTurn(user: UserID) -> ParkedTurn? {
        guard self.running[user] == nil, let parked = self.table.form(StateName.parked, user: user, ParkedTurn.self),
            parked.retryAt == nil
        else { return nil }
        return parked
    }
}
