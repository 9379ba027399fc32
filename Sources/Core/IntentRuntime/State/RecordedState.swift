internal import IntentEvents
internal import IntentKit

/// A user's state as a turn's record holds it: only what the turn read.
struct RecordedState: StateSource {
    /// The entries' texts by name; lists of names by their prefix and an asterisk.
    let before: SortedMap<StateName, [UInt8]>

    func entry(_ name: StateName) -> StateEntry? {
        guard let text = self.before[name], text != TurnRecord.absent else { return nil }
        return StateEntry(text: text)
    }

    func names(prefix: StateFamily) -> [StateName] {
        guard let text = self.before[.list(of: prefix)] else { return [] }
        return (StateEntry.value(text).array ?? []).compactMap { $0.string.map { StateName($0) } }
    }
}
