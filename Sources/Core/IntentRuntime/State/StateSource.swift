package import IntentEvents
package import IntentKit

/// One user's state at one stage, as it was before the turn.
package protocol StateSource: Sendable {
    func entry(_ name: StateName) -> StateEntry?
    /// Keeps an entry whose parsed form is known now.
    func keep(_ entry: StateEntry, _ name: StateName)
    /// The names of the entries of a family, sorted.
    func names(prefix: StateFamily) -> [StateName]
    /// The pauses of the stage in the partition; they are not the user's (R82).
    var pauses: [Pause] { get }
}

extension StateSource {
    /// By default keeps nothing: the source is not asked again.
    package func keep(_ entry: StateEntry, _ name: StateName) {}

    /// None by default.
    package var pauses: [Pause] { [] }

    /// The entry of that name, as a tree.
    package func value(_ name: StateName) -> JSONValue? { self.entry(name).map { StateEntry.value($0.text) } }
}

/// A user's state as a turn's record holds it: only what the turn read.
struct RecordedState: StateSource {
    /// The entries' texts by name; lists of names by their prefix and an asterisk.
    let before: SortedMap<StateName, [UInt8]>
    /// The pause that held the turn's interaction, if one did.
    var held: Pause?

    var pauses: [Pause] { self.held.map { [$0] } ?? [] }

    func entry(_ name: StateName) -> StateEntry? {
        guard let text = self.before[name], text != TurnRecord.absent else { return nil }
        return StateEntry(text: text)
    }

    func names(prefix: StateFamily) -> [StateName] {
        guard let text = self.before[.list(of: prefix)] else { return [] }
        return (StateEntry.value(text).array ?? []).compactMap { $0.string.map { StateName($0) } }
    }
}
