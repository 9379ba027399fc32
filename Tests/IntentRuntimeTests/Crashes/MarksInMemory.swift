import IntentRuntime
import Synchronization

/// Marks without a file.
final class MarksInMemory: CrashMarks {
    private struct State {
        var marks: [Int: TurnMark] = [:]
        var all: [TurnMark] = []
        var forgotten: [Set<TurnKey>] = []
    }

    private let state = Mutex(State())
    let capacity = 1_000

    /// The current marks.
    var marks: [TurnMark] { self.state.withLock { Array($0.marks.values) } }
    /// All marks that were ever set, in order.
    var all: [TurnMark] { self.state.withLock(\.all) }
    /// The places that were forgotten.
    var forgotten: Set<TurnKey> { Set(self.calls.joined()) }
    /// The places that each call forgot.
    var calls: [Set<TurnKey>] { self.state.withLock(\.forgotten) }

    func set(_ mark: TurnMark?, at index: Int) {
        self.state.withLock { state in
            state.marks[index] = mark
            if let mark { state.all.append(mark) }
        }
    }

    func forget(_ turns: [TurnKey]) { self.state.withLock { $0.forgotten.append(Set(turns)) } }

    func settle() async {}
}
