internal import IntentEvents
internal import IntentKit

/// A user's state as a turn's record holds it: what the turn read, and nothing else.
struct RecordedState: StateSource {
    /// The entries by name; lists of names by their prefix and an asterisk.
    let before: SortedMap<StateName, JSONValue>

    func text(_ name: StateName) -> [UInt8]? { self.value(name)?.utf8 }

    func value(_ name: StateName) -> JSONValue? {
        guard let value = self.before[name], !value.isNull else { return nil }
        return value
    }

    func names(prefix: StateFamily) -> [StateName] {
        (self.before[.list(of: prefix)]?.array ?? []).compactMap { $0.string.map { StateName($0) } }
    }
}
