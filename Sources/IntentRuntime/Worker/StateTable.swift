package import IntentEvents
import Synchronization

/// The state of one stage in one partition, by user: what the topic `state` holds, as JSON text.
///
/// It changes only after a commit, and is read by turns meanwhile. Users of whom nothing was heard for a while may be
/// taken out and put back (``StateResidency``); a turn's user is there while the turn runs.
package final class StateTable: Sendable {
    private struct State {
        var users: [UserID: UserEntries] = [:]
        var bytes = 0
    }

    /// About what an entry takes besides its name and value.
    private static let overhead = 320

    private let state = Mutex(State())

    /// An empty table.
    package init() {}

    private static func size(_ name: StateName, _ value: [UInt8]) -> Int {
        name.utf8.count + value.count + Self.overhead
    }

    /// About how much memory it takes.
    package var byteCount: Int { self.state.withLock(\.bytes) }

    /// An entry of a user.
    package func value(_ name: StateName, user: UserID) -> [UInt8]? {
        self.state.withLock { $0.users[user]?[name] }
    }

    /// The names of a user's entries of one family, sorted; `prefix` is the family's name with its slash.
    package func names(prefix: StateFamily, user: UserID) -> [StateName] {
        self.state.withLock { $0.users[user]?.names(of: prefix) ?? [] }
    }

    /// Whether a user has entries of one family; `prefix` is the family's name with its slash.
    package func hasAny(prefix: StateFamily, user: UserID) -> Bool {
        self.state.withLock { $0.users[user]?.hasAny(of: prefix) ?? false }
    }

    /// Writes an entry; nil removes it.
    package func set(_ name: StateName, user: UserID, _ value: [UInt8]?) {
        self.state.withLock { state in
            if let value {
                let old = state.users[user, default: UserEntries()].set(name, value)
                state.bytes += Self.size(name, value) - (old.map { Self.size(name, $0) } ?? 0)
            } else if let old = state.users[user]?.set(name, nil) {
                state.bytes -= Self.size(name, old)
                if state.users[user]?.isEmpty ?? false { state.users[user] = nil }
            }
        }
    }

    /// Whether there is anything of a user.
    package func contains(_ user: UserID) -> Bool { self.state.withLock { $0.users[user] != nil } }

    /// The users that are there, in no order.
    package var users: [UserID] { self.state.withLock { Array($0.users.keys) } }

    /// A user's entries, in no order.
    package func entries(of user: UserID) -> [(name: StateName, value: [UInt8])] {
        self.state.withLock { $0.users[user]?.all ?? [] }
    }

    /// Takes a user's entries out.
    func takeOut(_ user: UserID) {
        let entries = self.entries(of: user)
        self.state.withLock { state in
            state.users[user] = nil
            state.bytes -= entries.reduce(0) { $0 + Self.size($1.name, $1.value) }
        }
    }

    /// One user's entries as a turn reads them.
    package func source(user: UserID) -> any StateSource { UserSource(table: self, user: user) }

    private struct UserSource: StateSource {
        let table: StateTable
        let user: UserID

        func text(_ name: StateName) -> [UInt8]? { self.table.value(name, user: self.user) }

        func names(prefix: StateFamily) -> [StateName] { self.table.names(prefix: prefix, user: self.user) }
    }
}
