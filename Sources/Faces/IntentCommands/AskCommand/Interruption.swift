import Synchronization

/// Ctrl-C in a conversation: the input ends, and the interaction is cancelled.
final class Interruption: Sendable {
    let input: TypedInput
    private let state = Mutex(false)

    init(_ input: TypedInput) { self.input = input }

    /// Whether it was pressed.
    var hasBegun: Bool { self.state.withLock { $0 } }

    /// Records that it was pressed; returns false when it was pressed before.
    func begin() -> Bool {
        let isFirst = self.state.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        self.input.finish()
        return isFirst
    }
}
