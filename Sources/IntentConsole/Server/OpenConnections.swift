internal import NIOCore
internal import Synchronization

/// The connections that there are, and the answers that are under way: so many, and none when the server has closed.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var answers: [ObjectIdentifier: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Begins with none.
    init(limit: Int) { self.limit = limit }

    /// One more, if there may be; whether there is.
    func enter(_ channel: any Channel) -> Bool {
        self.state.withLock { state in
            guard state.channels.count < self.limit, !state.isClosed else { return false }
            state.channels[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    /// One less; its answer may still be under way, and has to end.
    func leave(_ channel: any Channel) {
        self.state.withLock { state in
            state.channels[ObjectIdentifier(channel)] = nil
            state.answers[ObjectIdentifier(channel)]?.cancel()
        }
    }

    /// Answers on a connection.
    func answer(on channel: any Channel, _ body: @escaping @Sendable () async -> Void) {
        let id = ObjectIdentifier(channel)
        self.state.withLock { state in
            guard !state.isClosed else { return }
            state.answers[id] = Task {
                await body()
                self.state.withLock { $0.answers[id] = nil }
            }
        }
    }

    /// Closes all, and waits until no answer is under way.
    func close() async {
        let (channels, answers) = self.state.withLock { state in
            state.isClosed = true
            return (Array(state.channels.values), Array(state.answers.values))
        }
        for answer in answers { answer.cancel() }
        for channel in channels { try? await channel.close() }
        for answer in answers { await answer.value }
    }
}
