internal import IntentEvents

/// Which entries of a partition are other in memory than in the lane's file.
///
/// | an entry is | goes to |
/// |---|---|
/// | saved: the file has it as it was committed last | changed, when it is committed anew |
/// | changed | due, when a checkpoint begins; saved, when its user is evicted |
/// | due: the checkpoint that has begun waits for it | saved, when it is written |
///
/// One that is changed while it is due is both, and is written twice.
struct UnsavedEntries {
    private var changed: [UserID: [StateName]] = [:]
    private var due: [UserID: [StateName]] = [:]
    /// The users of whom something is, or was, due; the last one comes first.
    private var dueUsers: [UserID] = []
    /// How often entries were changed since a checkpoint began.
    private(set) var changes = 0

    /// Whether a checkpoint waits for nothing here.
    var isNothingDue: Bool { self.due.isEmpty }

    /// Notes that an entry was committed.
    mutating func note(_ name: StateName, user: UserID) {
        self.changes += 1
        self.changed[user, default: []].append(name)
    }

    /// A checkpoint begins: it waits for everything that has changed so far.
    ///
    /// It is written in the order of the file, in which neighbours share pages: so a checkpoint writes a page once, in
    /// however many parts it is written.
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

    /// Takes out users, in their order, with what is due of each, until there are so many entries; each name comes once.
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

    /// Takes a user out: all that is other in memory.
    mutating func pop(_ user: UserID) -> Set<StateName> {
        let due = self.due.isEmpty ? nil : self.due.removeValue(forKey: user)
        let changed = self.changed.removeValue(forKey: user)
        return Set(due ?? []).union(changed ?? [])
    }
}
