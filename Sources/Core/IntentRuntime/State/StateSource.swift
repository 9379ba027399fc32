package import IntentEvents
package import IntentKit

/// One user's state at one stage, as it was before the turn.
package protocol StateSource: Sendable {
    func entry(_ name: StateName) -> StateEntry?
    /// Keeps an entry whose parsed form is known now.
    func keep(_ entry: StateEntry, _ name: StateName)
    /// The names of the entries of a family, sorted.
    func names(prefix: StateFamily) -> [StateName]
}

extension StateSource {
    /// By default keeps nothing: the source is not asked again.
    package func keep(_ entry: StateEntry, _ name: StateName) {}

    /// The entry of that name, as a tree.
    package func value(_ name: StateName) -> JSONValue? { self.entry(name).map { StateEntry.value($0.text) } }
}
