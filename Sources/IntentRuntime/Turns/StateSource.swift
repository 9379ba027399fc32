package import IntentEvents
package import IntentKit

/// One user's state at one stage, as it was before the turn.
package protocol StateSource: Sendable {
    /// The JSON text of the entry of that name.
    func text(_ name: StateName) -> [UInt8]?
    /// The entry of that name, read.
    func value(_ name: StateName) -> JSONValue?
    /// The names of the entries of a family, sorted.
    func names(prefix: StateFamily) -> [StateName]
}

extension StateSource {
    /// The entry of that name, from its text.
    package func value(_ name: StateName) -> JSONValue? { self.text(name).map(StateEntry.value) }
}
