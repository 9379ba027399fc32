package import IntentEvents
package import IntentKit

/// One user's state at one stage, as it was before the turn.
package protocol StateSource: Sendable {
    /// The entry of that name.
    func entry(_ name: StateName) -> StateEntry?
    /// Takes an entry over of which it is known now what it says.
    func keep(_ entry: StateEntry, _ name: StateName)
    /// The names of the entries of a family, sorted.
    func names(prefix: StateFamily) -> [StateName]
}

extension StateSource {
    /// Keeps nothing: what it has is not asked for again.
    package func keep(_ entry: StateEntry, _ name: StateName) {}

    /// The entry of that name, as a tree.
    package func value(_ name: StateName) -> JSONValue? { self.entry(name).map { StateEntry.value($0.text) } }
}
