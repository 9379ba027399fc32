internal import IntentEvents

/// Which users of a partition are in memory, and when each was last needed.
struct RecentUsers {
    private struct Use {
        var user: UserID
        var at: Timestamp
    }

    /// Evicted users.
    private(set) var spilled: Set<UserID> = []
    private var lastUse: [UserID: Timestamp] = [:]
    /// Uses in order of time; of several of one user the last one counts.
    private var uses: [Use] = []
    private var forgotten = 0

    /// Records that a user is needed now.
    mutating func touch(_ user: UserID, at now: Timestamp) {
        guard self.lastUse[user] != now else { return }
        self.lastUse[user] = now
        self.uses.append(Use(user: user, at: now))
        if self.uses.count > 1_024 + 4 * self.lastUse.count { self.compact() }
    }

    /// Records that a user has no entries.
    mutating func forget(_ user: UserID) { self.lastUse[user] = nil }

    /// Records that users are back in memory.
    mutating func recordBack(_ users: some Sequence<UserID>) {
        for user in users { self.spilled.remove(user) }
    }

    /// The least recently needed user, if that was before `limit`; it counts as evicted from now on.
    mutating func popOldest(before limit: Timestamp) -> UserID? {
        while self.forgotten < self.uses.count {
            let use = self.uses[self.forgotten]
            guard use.at <= limit else { return nil }
            self.forgotten += 1
            guard self.lastUse[use.user] == use.at else { continue }
            self.lastUse[use.user] = nil
            return use.user
        }
        self.uses = []
        self.forgotten = 0
        return nil
    }

    mutating func recordSpilled(_ user: UserID) { self.spilled.insert(user) }

    private mutating func compact() {
        self.uses = self.uses[self.forgotten...].filter { self.lastUse[$0.user] == $0.at }
        self.forgotten = 0
    }
}
