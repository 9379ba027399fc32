internal import IntentKit
import Synchronization

/// The state of one stage in one partition, by user: what the topic `state` holds, as JSON text.
///
/// It changes only after a commit, and is read by turns meanwhile.
package final class StateTable: Sendable {
    private let users = Mutex<[String: [String: [UInt8]]]>([:])

    /// An empty table.
    package init() {}

    /// An entry of a user.
    package func value(_ name: String, user: String) -> [UInt8]? {
        self.users.withLock { $0[user]?[name] }
    }

    /// The names of a user's entries that start like this, sorted.
    package func names(prefix: String, user: String) -> [String] {
        self.users.withLock { users in
            (users[user]?.keys.filter { $0.hasPrefix(prefix) } ?? []).sorted()
        }
    }

    /// Writes an entry; nil removes it.
    package func set(_ name: String, user: String, _ value: [UInt8]?) {
        self.users.withLock { users in
            users[user, default: [:]][name] = value
            if users[user]?.isEmpty ?? false { users[user] = nil }
        }
    }

    /// Calls the closure with every entry.
    package func forEach(_ body: (_ user: String, _ name: String, _ value: [UInt8]) -> Void) {
        for (user, entries) in self.users.withLock({ $0 }) {
            for (name, value) in entries { body(user, name, value) }
        }
    }

    /// One user's entries as a turn reads them.
    package func source(user: String) -> any StateSource { UserSource(table: self, user: user) }

    private struct UserSource: StateSource {
        let table: StateTable
        let user: String

        func value(_ name: String) -> JSONValue? {
            self.table.value(name, user: self.user).flatMap { try? JSONValue(parsing: $0) }
        }

        func names(prefix: String) -> [String] { self.table.names(prefix: prefix, user: self.user) }
    }
}
