internal import NIOCore
internal import Synchronization

/// The open connections and the answers in progress: limited in number, and none once the server has closed.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var answers: [ObjectIdentifier: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates it without connections.
    init(limit: Int) { self.limit = limit }

    /// Adds a connection, if the limit allows it; returns whether it does.
    func enter(_ channel: any Channel) -> Bool {
        self.state.withLock { state in
            guard state.channels.count < self.limit, !state.isClosed else { return false }
            state.channels[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    /// Removes a connection; its answer may still be in progress, and must end.
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

    /// Closes all connections, and waits until no answer is in progress.
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
