import NIOCore
import Synchronization

/// The open connections, to limit their number and to close them.
final class ConnectionRegistry: Sendable {
    private struct State {
        var nextID: UInt64 = 1
        var channels: [UInt64: any Channel] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates an empty registry for this many connections.
    init(limit: Int) {
        self.limit = limit
    }

    /// Registers a connection and gives it an id; nil when there are too many.
    func add(_ channel: any Channel) -> UInt64? {
        self.state.withLock { state in
            guard state.channels.count < self.limit else { return nil }
            defer { state.nextID += 1 }
            state.channels[state.nextID] = channel
            return state.nextID
        }
    }

    /// Removes a connection.
    func remove(_ id: UInt64) {
        self.state.withLock { $0.channels[id] = nil }
    }

    /// One connection, if it is open.
    func channel(_ id: UInt64) -> (any Channel)? {
        self.state.withLock { $0.channels[id] }
    }

    /// How many connections are open.
    var count: Int { self.state.withLock(\.channels.count) }

    /// The connections that are open.
    var all: [any Channel] {
        self.state.withLock { Array($0.channels.values) }
    }
}
