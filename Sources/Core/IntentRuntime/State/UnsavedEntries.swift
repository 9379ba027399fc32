internal import IntentEvents

/// The entries of a partition that differ between memory and the lane's file.
///
/// | an entry is | goes to |
/// |---|---|
/// | saved: the file has the last committed value | changed, when it is committed again |
/// | changed | due, when a checkpoint begins; saved, when its user is evicted |
/// | due: the current checkpoint waits for it | saved, when it is written |
///
/// An entry that is changed while it is due is both, and is written twice.
struct UnsavedEntries {
    private var changed: [UserID: [StateName]] = [:]
    private var due: [UserID: [StateName]] = [:]
    /// The users with due entries, now or before; the last one comes first.
    private var dueUsers: [UserID] = []
    /// The number of changes since a checkpoint began.
    private(set) var changes = 0

    /// Whether a checkpoint waits for no entry here.
    var isNothingDue: Bool { self.due.isEmpty }

    /// Records that an entry was committed.
    mutating func record(_ name: StateName, user: UserID) {
        self.changes += 1
        self.changed[user, default: []].append(name)
    }

    /// A checkpoint begins: it waits for all changes so far.
    ///
    /// They are written in the order of the file, in which neighbours share pages. So a checkpoint writes each page
    /// once, in however many parts.
    mutating func makeDue() {
        if self.due.isEmpty {
            self.due = self.changed
        } else {
            self.due.merge(self.changed) { $0 + $1 }
        }
        self.dueUsers = self.due.keys.sorted(by: >)
        self.changed = [:]
        self.changes = 0
    }

    /// Removes and returns users, in order, with the due entries of each, up to this many entries; each name comes
    /// once.
    mutating func popDue(limit: Int) -> [(user: UserID, names: [StateName])] {
        var taken: [(user: UserID, names: [StateName])] = []
        var count = 0
        while count < limit, let user = self.dueUsers.popLast() {
            guard let names = self.due.removeValue(forKey: user) else { continue }
            taken.append((user, names.count == 1 ? names : Set(names).sorted()))
            count += names.count
        }
        return taken
    }

    /// Removes a user, and returns the names of all entries that differ.
    mutating func pop(_ user: UserID) -> Set<StateName> {
        let due = self.due.isEmpty ? nil : self.due.removeValue(forKey: user)
        let changed = self.changed.removeValue(forKey: user)
        return Set(due ?? []).union(changed ?? [])
    }
}
