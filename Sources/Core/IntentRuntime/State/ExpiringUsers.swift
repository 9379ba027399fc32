internal import IntentEvents
internal import IntentKit

/// Users with known interactions (R8, R23), in the order in which these expire.
///
/// A user is queued once, however many known interactions there are, and as long as there are any. The user whose first
/// one expires first comes first.
struct ExpiringUsers {
    private struct Entry {
        var user: UserID
        var until: Timestamp
    }

    private let window: Int64
    private var queue: [Entry] = []
    private var done = 0

    init(window: Int64) { self.window = window }

    /// Records the first known interaction of a user.
    mutating func record(user: UserID, _ value: [UInt8]) {
        // An unreadable entry expires at once.
        var at: Int64 = 0
        value.withUnsafeBufferPointer { text in try? JSONTape.withView(of: text) { at = $0["at"]?.integer ?? 0 } }
        self.queue.append(Entry(user: user, until: Timestamp(milliseconds: at) + self.window))
    }

    /// Records a known interaction that was restored.
    ///
    /// Those of a user are adjacent; the first one counts.
    mutating func recordRestored(user: UserID, _ value: [UInt8]) {
        if self.queue.last?.user != user { self.record(user: user, value) }
    }

    /// Sorts the users that were noted in any order.
    mutating func sort() { self.queue.sort { $0.until < $1.until } }

    /// Removes and returns users with an expired entry.
    mutating func popDue(at now: Timestamp, limit: Int) -> [UserID] {
        var users: [UserID] = []
        while self.done < self.queue.count, self.queue[self.done].until <= now, users.count < limit {
            users.append(self.queue[self.done].user)
            self.done += 1
        }
        if self.done > 1_024, self.done * 2 > self.queue.count {
            self.queue.removeFirst(self.done)
            self.done = 0
        }
        return users
    }

    /// The names of a user's entries that have expired; the user is queued again for the rest.
    mutating func expired(of user: UserID, in table: StateTable, at now: Timestamp) -> [StateName] {
        var names: [StateName] = []
        var next: Timestamp?
        for name in table.names(prefix: StateName.knownInteractions, user: user) {
            guard let known = table.value(name, user: user).flatMap(KnownInteraction.init(text:)) else {
                names.append(name)
                continue
            }
            // An interaction that is still open here is checked again when it may have ended.
            let until = known.whereabouts == .here ? max(known.at, now) + self.window : known.at + self.window
            if until <= now { names.append(name) } else { next = min(next ?? until, until) }
        }
        if let next { self.queue.append(Entry(user: user, until: next)) }
        return names
    }
}
