internal import IntentKit

extension JSONValue {
    /// A count or an index in state and on the topics between the stages: never negative, and far from overflow,
    /// whichever program wrote it.
    var count: Int? {
        guard let value = self.integer, (0...Int64(Int32.max)).contains(value) else { return nil }
        return Int(value)
    }
}

extension JSONView {
    /// A count or an index, as of a parsed value.
    var count: Int? {
        guard let value = self.integer, (0...Int64(Int32.max)).contains(value) else { return nil }
        return Int(value)
    }
}
