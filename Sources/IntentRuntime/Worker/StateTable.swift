import Synchronization

/// The state of one stage in one partition, by user: what the topic `state` holds, as JSON text.
///
/// It changes only after a commit, and is read by turns meanwhile.
package final class StateTable: Sendable {
    /// A user's entries by what stands before the first slash of their names: open interactions and waiting events are
    /// listed at every turn, while there may be thousands of remembered ones.
    private typealias Entries = [Substring: [String: [UInt8]]]

    private let users = Mutex<[String: Entries]>([:])

    /// An empty table.
    package init() {}

    private static func family(_ name: String) -> Substring {
        name.firstIndex(of: "/").map { name[...$0] } ?? name[...]
    }

    /// An entry of a user.
    package func value(_ name: String, user: String) -> [UInt8]? {
        self.users.withLock { $0[user]?[Self.family(name)]?[name] }
    }

    /// The names of a user's entries of one family, sorted; `prefix` is the family's name with its slash.
    package func names(prefix: String, user: String) -> [String] {
        self.users.withLock { $0[user]?[Self.family(prefix)]?.keys.sorted() ?? [] }
    }

    /// Writes an entry; nil removes it.
    package func set(_ name: String, user: String, _ value: [UInt8]?) {
        let family = Self.family(name)
        self.users.withLock { users in
            if let value {
                users[user, default: [:]][family, default: [:]][name] = value
            } else if users[user]?[family]?.removeValue(forKey: name) != nil {
                if users[user]?[family]?.isEmpty ?? false { users[user]?[family] = nil }
                if users[user]?.isEmpty ?? false { users[user] = nil }
            }
        }
    }

    /// Every entry, in no order.
    package var entries: [(user: String, name: String, value: [UInt8])] {
        self.users.withLock { $0 }
            .flatMap { user, families in
                families.values.flatMap { entries in entries.map { (user, $0.key, $0.value) } }
            }
    }

    /// The users that have an entry of that name.
    package func users(having name: String) -> [String] {
        self.users.withLock { users in users.filter { $0.value[Self.family(name)]?[name] != nil }.keys.sorted() }
    }

    /// One user's entries as a turn reads them.
    package func source(user: String) -> any StateSource { UserSource(table: self, user: user) }

    private struct UserSource: StateSource {
        let table: StateTable
        let user: String

        func text(_ name: String) -> [UInt8]? { self.table.value(name, user: self.user) }

        func names(prefix: String) -> [String] { self.table.names(prefix: prefix, user: self.user) }
    }
}
