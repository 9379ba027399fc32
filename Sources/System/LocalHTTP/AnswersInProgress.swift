internal import Synchronization

/// The answers that are being made, of which none is left once the server has closed.
final class AnswersInProgress: Sendable {
    typealias ID = UInt64

    private struct State {
        var answers: [ID: Task<Void, Never>] = [:]
        var lastID: ID = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Begins to make an answer.
    ///
    /// - Returns: Its number, to cancel it; nil when the server has closed, so that there is none.
    func start(_ body: @escaping @Sendable () async -> Void) -> ID? {
        self.state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastID += 1
            let id = state.lastID
            state.answers[id] = Task {
                await body()
                self.state.withLock { $0.answers[id] = nil }
            }
            return id
        }
    }

    /// Cancels an answer, if it is still being made.
    func cancel(_ id: ID) { self.state.withLock { $0.answers[id] }?.cancel() }

    /// Cancels all answers, and waits until none is in progress.
    func close() async {
        let answers = self.state.withLock { state in
            state.isClosed = true
            return Array(state.answers.values)
        }
        for answer in answers { answer.cancel() }
        for answer in answers { await answer.value }
    }
}
