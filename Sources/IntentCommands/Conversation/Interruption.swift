import Synchronization

/// Ctrl-C in a conversation: what is typed ends, and the interaction is cancelled.
final class Interruption: Sendable {
    /// What is typed.
    let input: TypedInput
    private let state = Mutex(false)

    /// Begins with nothing pressed.
    init(_ input: TypedInput) { self.input = input }

    /// Whether it was pressed.
    var hasBegun: Bool { self.state.withLock { $0 } }

    /// Notes that it was pressed; false when it was before.
    func begin() -> Bool {
        let isFirst = self.state.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        self.input.finish()
        return isFirst
    }
}
