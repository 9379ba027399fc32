import Synchronization

/// Spans that have ended and wait to be sent; bounded, since a collector may be slow or unavailable.
package final class SpanQueue: Sendable {
    private struct State {
        var spans: [SpanRecord] = []
        var dropped = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    package init(limit: Int = 16_384) {
        self.limit = limit
    }

    /// Adds a span; it is dropped if there is no room.
    package func add(_ span: SpanRecord) {
        self.state.withLock { state in
            if state.spans.count < self.limit { state.spans.append(span) } else { state.dropped += 1 }
        }
    }

    /// The first spans, in the order in which they ended.
    package func first(_ count: Int) -> ArraySlice<SpanRecord> { self.state.withLock { $0.spans.prefix(count) } }

    package func removeFirst(_ count: Int) { self.state.withLock { $0.spans.removeFirst(count) } }

    /// Returns how many spans were dropped since the last call.
    package func drainDropped() -> Int {
        self.state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
    }
}
