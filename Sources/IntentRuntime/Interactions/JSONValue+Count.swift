internal import IntentKit

extension JSONValue {
    /// A number of things, or a place among them, as it stands in state and on the topics between the stages: never
    /// negative, and far from the end of what can be counted, whoever wrote it.
    var count: Int? {
        guard let value = self.integer, (0...Int64(Int32.max)).contains(value) else { return nil }
        return Int(value)
    }
}

extension JSONView {
    /// A number of things, as of a value that was made.
    var count: Int? {
        guard let value = self.integer, (0...Int64(Int32.max)).contains(value) else { return nil }
        return Int(value)
    }
}
