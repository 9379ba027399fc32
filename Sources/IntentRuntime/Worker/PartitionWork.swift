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

    let partition: Int
    let table = StateTable()
    /// The users in memory, and since when nobody has asked for them.
    var recent = RecentUsers()
    /// The digest of the last turn (R41).
    var chain = ""
    /// What of it is other than in the lane's file; nil where there is none.
    var unsaved: UnsavedEntries?
    /// What waits behind users' parked turns; it is known of users who are evicted, too.
    private(set) var queues: [UserID: WaitingQueue] = [:]
    /// What has changed of queues: it goes to the lane's file at once, so that nothing of them need stay in memory.
    private var queueWrites: [SpilledEntry] = []
    /// How many of the events that wait behind a parked turn are in memory.
    private let queueHead: Int
    /// The next offset of each input topic's partition.
    var positions: [TopicPartition: Int64] = [:]
    private(set) var timers = TimerQueue()
    /// Used again for each entry that is looked through for deadlines.
    private var tape = JSONTape()
    /// Running turns by user.
    private(set) var running: [UserID: RunningTurn] = [:]
    /// Users behind whose parked turns an event waits that overtakes them (R5).
    private var overtaken: Set<UserID> = []
    /// Entries that were read back and cannot be read.
    private(set) var unreadable: [(user: UserID, name: StateName)] = []
    /// Users of whom interactions are kept by their ids.
    private var expiring: ExpiringUsers

    init(partition: Int, settings: RuntimeSettings, isSaved: Bool = false) {
        self.partition = partition
        self.unsaved = isSaved ? UnsavedEntries() : nil
        self.queueHead = settings.queueHead
        self.expiring = ExpiringUsers(window: settings.dedupeWindow.milliseconds)
    }

    // MARK: State

    /// Takes over what waits behind a user's parked turn, before the entries.
    func setQueue(_ queue: WaitingQueue, user: UserID) {
        if !queue.isEmpty { self.queues[user] = queue } else if !self.queues.isEmpty { self.queues[user] = nil }
    }

    /// The entries of a user's queue that have to be in memory for the user's next turns, and are not.
    func missingOfQueue(of user: UserID) -> [StateName] {
        guard !self.queues.isEmpty, let queue = self.queues[user] else { return [] }
        let wanted = queue.head(self.queueHead) + queue.candidates.prefix(64) + queue.unreadable
        return wanted.map { StateName.queued($0) }.filter { self.table.value($0, user: user) == nil }
    }

    /// Takes out what is to be written to the lane's file at once.
    func drainQueueWrites() -> [SpilledEntry] {
        defer { self.queueWrites = [] }
        return self.queueWrites
    }

    /// Takes a state entry over after it was committed.
    func apply(_ name: StateName, user: UserID, _ entry: StateEntry?) {
        if self.unsaved != nil, let number = name.queueNumber {
            self.queueWrites.append(
                SpilledEntry(partition: self.partition, user: user, name: name, value: entry?.text)
            )
            let isNear = self.queues[user]?.isNear(number, self.queueHead) ?? false
            self.table.set(name, user: user, entry: isNear ? entry : nil)
            return
        }
        if let entry {
            self.noteDeadlines(name, user: user, entry)
            if name.hasPrefix(StateName.knownInteractions),
                !self.table.hasAny(prefix: StateName.knownInteractions, user: user)
            {
                self.expiring.note(user: user, entry.text)
            }
        }
        self.table.set(name, user: user, entry: entry)
        self.unsaved?.note(name, user: user)
    }

    /// What there is now of entries of a user, for the lane's file.
    func entries(of user: UserID, _ names: some Collection<StateName>) -> [SpilledEntry] {
        names.map { name in
            let value = self.table.value(name, user: user)
            return SpilledEntry(partition: self.partition, user: user, name: name, value: value)
        }
    }

    private func noteDeadlines(_ name: StateName, user: UserID, _ entry: StateEntry) {
        guard PendingTimer.mayHave(name) else { return }
        for timer in PendingTimer.timers(in: entry, name: name, user: user, tape: &self.tape) {
            self.timers.insert(timer)
        }
    }

    /// Notes what an entry that was read back asks to be done in time; a user's entries come one after another.
    ///
    /// One that cannot be read is given up in a turn of its own, as soon as there is a batch (R9).
    func noteRestored(_ name: StateName, user: UserID, _ value: [UInt8]) {
        if let number = name.queueNumber { self.noteRestored(number, user: user, value) }
        guard !StateEntry.isChecked(name) || StateEntry.isReadable(name, value) else {
            self.unreadable.append((user, name))
            self.timers.insert(
                PendingTimer(kind: .unreadable, deadline: Timestamp(milliseconds: 0), user: user, name: name)
            )
            return
        }
        self.noteDeadlines(name, user: user, StateEntry(text: value))
        if name.hasPrefix(StateName.knownInteractions) { self.expiring.noteRestored(user: user, value) }
    }

    private func noteRestored(_ number: Int64, user: UserID, _ value: [UInt8]) {
        // Taken out, not copied.
        var queue = self.queues.removeValue(forKey: user) ?? WaitingQueue()
        if let kind = WaitingQueue.Kind(waitingIn: value) {
            queue.restore(number, kind)
        } else {
            queue.restoreUnreadable(number)
        }
        self.queues[user] = queue
    }

    /// Has those go on who wait behind no parked turn.
    func noteResting() {
        for user in self.queues.keys where self.table.value(StateName.parked, user: user) == nil {
            self.overtaken.insert(user)
        }
    }

    /// Puts what was read back in order, before the first batch.
    func finishRestoring() { self.expiring.sort() }

    /// Users of whom interactions may have ended long enough ago, at most so many.
    func usersWithExpired(at now: Timestamp, limit: Int) -> [UserID] {
        self.expiring.popDue(at: now, limit: limit)
    }

    /// Names of the user's entries that are no longer needed: interactions that ended long ago.
    ///
    /// The user's state is in memory.
    func expired(of user: UserID, at now: Timestamp) -> [StateName] {
        self.expiring.expired(of: user, in: self.table, at: now)
    }

    // MARK: Timers

    /// Takes out the deadlines that have come.
    func popDueTimers(at now: Timestamp, limit: Int) -> [PendingTimer] {
        self.timers.popDue(at: now, limit: limit)
    }

    /// The event of a deadline that has come, if it is still current.
    ///
    /// The user's state is in memory.
    func event(of timer: PendingTimer, stage: Stage, now: Timestamp) -> (draft: EventDraft, ordinal: String)? {
        if timer.kind == .unreadable {
            return self.table.value(timer.name, user: timer.user)
                .flatMap { timer.event(forUnreadable: $0, stage: stage, now: now) }
        }
        if timer.name == StateName.parked {
            return self.table.form(timer.name, user: timer.user, ParkedTurn.self)
                .flatMap { timer.event(of: $0, stage: stage, now: now) }
        }
        if timer.kind == .status {
            return self.table.form(timer.name, user: timer.user, FollowedInteraction.self)
                .flatMap { timer.event(of: $0, stage: stage, now: now) }
        }
        return self.table.form(timer.name, user: timer.user, Interaction.self)
            .flatMap { timer.event(of: $0, stage: stage, now: now) }
    }

    /// Waits again for the deadlines of an entry of which one was taken for due too early.
    func armAgain(_ name: StateName, user: UserID) {
        guard let entry = self.table.entry(name, user: user) else { return }
        for timer in PendingTimer.timers(in: entry, name: name, user: user, tape: &self.tape) {
            self.timers.insertOnce(timer)
        }
    }

    // MARK: Running turns

    /// Keeps a turn that goes on after its batch.
    func keep(_ turn: RunningTurn, user: UserID) {
        self.running[user] = turn
    }

    /// Notes that an event waits behind this user's parked turn that overtakes it.
    func noteOvertaking(user: UserID) { self.overtaken.insert(user) }

    /// Takes out the users behind whose parked turns such an event waits.
    func drainOvertaken() -> Set<UserID> {
        defer { self.overtaken = [] }
        return self.overtaken
    }

    /// Drops a turn that has ended, or that nobody waits for any more.
    func drop(user: UserID) {
        self.running.removeValue(forKey: user)?.task.cancel()
    }

    /// Cancels everything that runs: the partition is somebody else's now.
    func cancelAll() {
        for turn in self.running.values { turn.task.cancel() }
        self.running = [:]
    }

    /// The parked turn of a user that waits for nothing and does not run, for example after a restart.
    func idleParkedTurn(user: UserID) -> ParkedTurn? {
        guard self.running[user] == nil, let parked = self.table.form(StateName.parked, user: user, ParkedTurn.self),
            parked.retryAt == nil
        else { return nil }
        return parked
    }
}
