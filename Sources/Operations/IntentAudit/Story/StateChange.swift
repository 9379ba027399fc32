package import IntentKit

/// A member of an interaction's state that a turn has changed (R46).
package struct StateChange: Hashable, Sendable {
    /// The names of the members that lead to it.
    package var path: [String]
    /// Its value before the turn; nil where there was none.
    package var before: JSONValue?
    /// Its value after the turn; nil where there is none any more.
    package var after: JSONValue?

    /// The members that differ, sorted by path: objects are compared member by member, all else as a whole.
    package static func changes(from before: JSONValue?, to after: JSONValue?) -> [Self] {
        Self.changes(from: before, to: after, at: [])
    }

    private static func changes(from before: JSONValue?, to after: JSONValue?, at path: [String]) -> [Self] {
        let (before, after) = (Self.present(before), Self.present(after))
        guard before != after else { return [] }
        let (old, new) = (before?.object, after?.object)
        guard old != nil || new != nil, old != nil || before == nil, new != nil || after == nil else {
            return [Self(path: path, before: before, after: after)]
        }
        let names = Set((old ?? [:]).keys).union((new ?? [:]).keys).sorted()
        return names.flatMap { Self.changes(from: old?[$0], to: new?[$0], at: path + [$0]) }
    }

    /// Null is the same as no member.
    private static func present(_ value: JSONValue?) -> JSONValue? { value.flatMap { $0.isNull ? nil : $0 } }
}
