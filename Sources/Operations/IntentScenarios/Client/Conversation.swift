package import IntentEvents
package import IntentKit
package import IntentRuntime
import Synchronization

/// One interaction as its client sees it: the events that are sent, and the events that come back.
///
/// Created by `open(id:userID:)`. `next(timeout:)` is called by one task at a time.
package final class Conversation: Sendable {
    /// The reason why no event came.
    package enum Failure: Error, Hashable, Sendable {
        case timedOut
        /// No event came to any conversation of the client for so long that none will.
        case silence
        /// More events came than a conversation keeps.
        case overflow
        /// The client has ended; the text says why.
        case clientEnded(String)
    }

    /// The number of events that may wait to be received; an interaction has far fewer (R24).
    private static let capacity = 1_000

    private enum Waiter {
        /// No task waits.
        case none
        /// A task waits.
        case waiting(CheckedContinuation<Result<Event, Failure>, Never>, Wait)
    }

    /// The limits of a task's wait.
    private struct Wait {
        var deadline: Timestamp
        var since: Timestamp
        /// The longest time without events for any conversation; nil for any time.
        var idleTimeout: Duration?
    }

    private struct State {
        var events: [Event] = []
        var waiter = Waiter.none
        var failure: Failure?
        var sent = 0
    }

    package let id: InteractionID
    package let userID: UserID

    private let client: ConversationClient
    private let state = Mutex(State())

    init(id: InteractionID, userID: UserID, client: ConversationClient) {
        self.id = id
        self.userID = userID
        self.client = client
    }

    /// Creates an event of this conversation with an id of its own.
    ///
    /// - Parameters:
    ///   - type: `ce_type`.
    ///   - data: The data.
    ///   - userID: The sender; nil means the conversation's user.
    ///   - subject: The interaction that it is about; nil means this one.
    /// - Returns: The event, not yet sent.
    package func makeEvent(
        _ type: String,
        data: JSONValue,
        from userID: UserID? = nil,
        subject: InteractionID? = nil
    ) -> Event {
        let number = self.state.withLock { state in
            state.sent += 1
            return state.sent
        }
        var event = Event(
            id: "\(self.id)#\(number)",
            source: self.client.source,
            type: .intentRequested,
            time: self.client.now,
            subject: subject ?? self.id,
            userID: userID ?? self.userID,
            data: data
        )
        event.type = type
        return event
    }

    /// Sends events in this order and returns when they are acknowledged.
    package func send(_ events: [Event]) async throws(LogError) {
        try await self.client.send(events)
    }

    /// The next event about this interaction, in the order of the topic.
    ///
    /// - Parameters:
    ///   - timeout: The longest to wait; checked a few times a second.
    ///   - idleTimeout: The longest time without events for any conversation of the client; nil for any time.
    /// - Returns: The event.
    /// - Throws: ``Failure``.
    package func next(timeout: Duration, idleTimeout: Duration? = nil) async throws(Failure) -> Event {
        let now = self.client.now
        let wait = Wait(deadline: now + timeout.milliseconds, since: now, idleTimeout: idleTimeout)
        let result = await withCheckedContinuation { continuation in
            let ready = self.state.withLock { state -> Result<Event, Failure>? in
                if !state.events.isEmpty { return .success(state.events.removeFirst()) }
                if let failure = state.failure { return .failure(failure) }
                state.waiter = .waiting(continuation, wait)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
        return try result.get()
    }

    /// Ends the conversation: events that still come are dropped.
    package func close() {
        self.client.forget(self)
    }

    // MARK: What the client calls

    func receive(_ event: Event) {
        self.wake { state in
            switch state.waiter {
            case .waiting: return .success(event)
            case .none:
                if state.events.count >= Self.capacity {
                    state.failure = .overflow
                } else {
                    state.events.append(event)
                }
                return nil
            }
        }
    }

    /// Ends a wait whose time is up, or during which no conversation has received anything for too long.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - lastHeard: The time of the last event of any conversation.
    func expire(at now: Timestamp, lastHeard: Timestamp) {
        self.wake { state in
            guard case .waiting(_, let wait) = state.waiter else { return nil }
            if wait.deadline <= now { return .failure(.timedOut) }
            guard let idleTimeout = wait.idleTimeout, now - max(wait.since, lastHeard) >= idleTimeout.milliseconds
            else {
                return nil
            }
            return .failure(.silence)
        }
    }

    /// Ends the conversation with its client.
    func fail(_ failure: Failure) {
        self.wake { state in
            state.failure = state.failure ?? failure
            switch state.waiter {
            case .waiting: return .failure(failure)
            case .none: return nil
            }
        }
    }

    private func wake(_ transition: (inout State) -> Result<Event, Failure>?) {
        let resumption = self.state.withLock {
            state -> (CheckedContinuation<Result<Event, Failure>, Never>, Result<Event, Failure>)? in
            guard let result = transition(&state), case .waiting(let continuation, _) = state.waiter else { return nil }
            state.waiter = .none
            return (continuation, result)
        }
        if let (continuation, result) = resumption { continuation.resume(returning: result) }
    }
}
