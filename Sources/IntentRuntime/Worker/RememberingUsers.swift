internal import IntentEvents
internal import IntentKit

/// Users of whom interactions are remembered by their ids (R8, R23), to be forgotten when the time is up.
///
/// A user is queued for as long as any interaction is remembered, and once, however many there are: users are looked
/// through in the order in which the first one may be forgotten.
struct RememberingUsers {
    private struct Place {
        var user: UserID
        var until: Timestamp
    }

    private let window: Int64
    private var queue: [Place] = []
    private var done = 0

    init(window: Int64) {
        self.window = window
    }

    /// Notes the first interaction that is remembered of a user.
    mutating func note(user: UserID, _ value: [UInt8]) {
        // What cannot be read is forgotten at once.
        var at: Int64 = 0
        value.withUnsafeBufferPointer { text in try? JSONTape.look(at: text) { at = $0["at"]?.integer ?? 0 } }
        self.queue.append(Place(user: user, until: Timestamp(milliseconds: at) + self.window))
    }

    /// Notes an interaction that was read back; a user's come one after another, and the first one counts.
    mutating func noteRestored(user: UserID, _ value: [UInt8]) {
        if self.queue.last?.user != user { self.note(user: user, value) }
    }

    /// Puts users in order who were noted in none.
    mutating func sort() { self.queue.sort { $0.until < $1.until } }

    /// Takes out users whose time has come.
    mutating func takeDue(at now: Timestamp, limit: Int) -> [UserID] {
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

    /// The names of a user's entries whose time is up; the user is queued again for the rest.
    mutating func forgettable(of user: UserID, in table: StateTable, at now: Timestamp) -> [StateName] {
        var names: [StateName] = []
        var next: Timestamp?
        for name in table.names(prefix: StateName.knownInteractions, user: user) {
            guard let known = table.value(name, user: user).flatMap(KnownInteraction.init(text:)) else {
                names.append(name)
                continue
            }
            // One that is still open here is looked at again when it may have ended.
            let until = known.whereabouts == .here ? max(known.at, now) + self.window : known.at + self.window
            if until <= now { names.append(name) } else { next = min(next ?? until, until) }
        }
        if let next { self.queue.append(Place(user: user, until: next)) }
        return names
    }
}
