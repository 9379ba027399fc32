package import IntentEvents
internal import IntentKit
import Synchronization

/// The state of one stage in one partition, by user: the entries of the topic `state`, and their parsed forms.
///
/// It changes only after a commit. Turns read it meanwhile, and may keep an entry's parsed form. Users without recent
/// events may be evicted and loaded again (`StateCache`); a turn's user is in memory while the turn runs.
package final class StateTable: Sendable {
    private struct State {
        var users: [UserID: UserEntries] = [:]
        var entries = 0
        var bytes = 0
        /// The pauses, by name; they stay when their user is evicted.
        var pauses: [StateName: Pause] = [:]
    }

    /// An estimate of an entry's size besides its name and value.
    private static let overhead = 320

    private let state = Mutex(State())

    package init() {}

    private static func size(_ name: StateName, _ entry: StateEntry) -> Int {
        name.utf8.count + entry.byteCount + Self.overhead
    }

    /// An estimate of its size in memory.
    package var byteCount: Int { self.state.withLock(\.bytes) }

    package var entryCount: Int { self.state.withLock(\.entries) }

    package func entry(_ name: StateName, user: UserID) -> StateEntry? {
        self.state.withLock { $0.users[user]?[name] }
    }

    package func value(_ name: StateName, user: UserID) -> [UInt8]? { self.entry(name, user: user)?.text }

    /// An entry's parsed form; it is kept from now on.
    func form<Form: StateForm>(_ name: StateName, user: UserID, _: Form.Type) -> Form? {
        guard let parsed = self.entry(name, user: user)?.parse(Form.self) else { return nil }
        if let updated = parsed.updated { self.keep(updated, name, user: user) }
        return parsed.form
    }

    /// Keeps an entry's parsed form, unless the entry has changed since it was read.
    func keep(_ entry: StateEntry, _ name: StateName, user: UserID) {
        self.state.withLock { state in
            guard let old = state.users[user]?[name], !old.isRead, old == entry else { return }
            _ = state.users[user]?.set(name, entry)
            state.bytes += entry.byteCount - old.byteCount
        }
    }

    /// The names of a user's entries of one family, sorted; `prefix` is the family's name with its slash.
    package func names(prefix: StateFamily, user: UserID) -> [StateName] {
        self.state.withLock { $0.users[user]?.names(of: prefix) ?? [] }
    }

    /// Whether a user has entries of one family; `prefix` is the family's name with its slash.
    package func hasAny(prefix: StateFamily, user: UserID) -> Bool {
        self.state.withLock { $0.users[user]?.hasAny(of: prefix) ?? false }
    }

    /// Writes an entry as text only; nil removes it.
    package func set(_ name: StateName, user: UserID, _ value: [UInt8]?) {
        self.set(name, user: user, entry: value.map { StateEntry(text: $0) })
    }

    /// Writes an entry; nil removes it.
    package func set(_ name: StateName, user: UserID, entry: StateEntry?) {
        self.state.withLock { state in
            if let entry {
                let old = state.users[user, default: UserEntries()].set(name, entry)
                state.bytes += Self.size(name, entry) - (old.map { Self.size(name, $0) } ?? 0)
                if old == nil { state.entries += 1 }
            } else if let old = state.users[user]?.set(name, nil) {
                state.bytes -= Self.size(name, old)
                state.entries -= 1
                if state.users[user]?.isEmpty ?? false { state.users[user] = nil }
            }
        }
    }

    /// The pauses of the partition, in the order of their names.
    package var pauses: [Pause] {
        self.state.withLock { state in
            // Nearly always there is none.
            state.pauses.isEmpty ? [] : state.pauses.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Begins or ends a pause; an entry that cannot be read pauses nothing.
    func setPause(_ name: StateName, _ text: [UInt8]?) {
        let pause = text.flatMap { try? JSONValue(parsing: $0) }.flatMap(Pause.init(json:))
        self.state.withLock { $0.pauses[name] = pause }
    }

    package func contains(_ user: UserID) -> Bool { self.state.withLock { $0.users[user] != nil } }

    /// The users in the table, in no order.
    package var users: [UserID] { self.state.withLock { Array($0.users.keys) } }

    /// A user's entries, in no order.
    package func entries(of user: UserID) -> [(name: StateName, entry: StateEntry)] {
        self.state.withLock { $0.users[user]?.all ?? [] }
    }

    /// Removes a user's entries from memory.
    func evict(_ user: UserID) {
        let entries = self.entries(of: user)
        self.state.withLock { state in
            state.users[user] = nil
            state.bytes -= entries.reduce(0) { $0 + Self.size($1.name, $1.entry) }
            state.entries -= entries.count
        }
    }

    /// One user's entries as a turn reads them.
    package func source(user: UserID) -> any StateSource { UserSource(table: self, user: user) }

    private struct UserSource: StateSource {
        let table: StateTable
        let user: UserID

        func entry(_ name: StateName) -> StateEntry? { self.table.entry(name, user: self.user) }

        func keep(_ entry: StateEntry, _ name: StateName) { self.table.keep(entry, name, user: self.user) }

        func names(prefix: StateFamily) -> [StateName] { self.table.names(prefix: prefix, user: self.user) }

        var pauses: [Pause] { self.table.pauses }
    }
}
