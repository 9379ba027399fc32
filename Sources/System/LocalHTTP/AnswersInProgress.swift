internal import NIOCore
internal import Synchronization

/// The answers that are being made, of which none is left once the server has closed.
final class AnswersInProgress: Sendable {
    private struct State {
        var answers: [ObjectIdentifier: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Answers on a connection; the answer is cancelled when the connection closes.
    func answer(on channel: any Channel, _ body: @escaping @Sendable () async -> Void) {
        let id = ObjectIdentifier(channel)
        self.state.withLock { state in
            guard !state.isClosed else { return }
            state.answers[id] = Task {
                await body()
                self.state.withLock { $0.answers[id] = nil }
            }
        }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.answers[id]?.cancel() } }
    }

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
