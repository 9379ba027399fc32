internal import IntentEvents
internal import IntentRuntime
internal import Synchronization

/// The events of one user, in the order of the topics, from a place on: each exactly once.
///
/// One task reads it. It ends when the gateway stops; what comes next follows the position of the last event, in any
/// replica.
package final class EventStream: Sendable {
    /// What a stream delivers.
    package enum Delivery: Sendable {
        case event(GatewayEvent)
        /// Nothing has come for the time that the reader waits; a stream that begins at this place misses nothing.
        case idle(EventPosition)
        case ended
    }

    let core: EventStreamCore
    private let hub: EventHub

    init(_ core: EventStreamCore, _ hub: EventHub) {
        self.core = core
        self.hub = hub
    }

    deinit { self.hub.remove(self.core) }

    /// The next event; waits for it, until the limit if there is one.
    /// - Throws: ``GatewayError``, `positionExpired`, when the topics no longer hold what comes next.
    package func next(within limit: Duration? = nil) async throws(GatewayError) -> Delivery {
        while !Task.isCancelled {
            let (event, mode, needsReading) = self.core.buffer.withLock { ($0.take(), $0.mode, $0.needsReading) }
            if needsReading { self.hub.requestReading() }
            if let event { return .event(event) }
            if case .ended(let error) = mode {
                if let error { throw error }
                return .ended
            }
            guard await self.core.signal.wait(for: limit, clock: self.hub.timer) == .expired else { continue }
            return .idle(self.hub.position(of: self.core))
        }
        return .ended
    }
}

extension EventStream: AsyncSequence {
    package struct AsyncIterator: AsyncIteratorProtocol {
        let stream: EventStream

        package func next() async throws(GatewayError) -> GatewayEvent? {
            if case .event(let event) = try await self.stream.next() { return event }
            return nil
        }

        package func next(isolation: isolated (any Actor)?) async throws(GatewayError) -> GatewayEvent? {
            try await self.next()
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }
}

/// A stream as the hub has it.
final class EventStreamCore: Sendable {
    let user: UserID
    /// The user's home partition.
    let partition: Int
    let buffer: Mutex<StreamBuffer>
    let signal = Signal()

    init(_ user: UserID, _ partition: Int, _ buffer: StreamBuffer) {
        self.user = user
        self.partition = partition
        self.buffer = Mutex(buffer)
    }
}
