import CRDKafka
import Synchronization

/// Ends a poll from any thread.
final class Waker: Sendable {
    /// A counted reference to a consumer's queue.
    ///
    /// `@unchecked Sendable`: librdkafka's queues may be used from any thread.
    private struct Queue: @unchecked Sendable {
        var pointer: OpaquePointer
        /// Keeps the client alive, and so its queue.
        var client: KafkaClient
    }

    private let queue: Mutex<Queue?>
    /// Set by ``wake()`` until a poll has answered it: a wake before the poll counts too.
    private let isPending = Atomic(false)

    init(_ consumer: KafkaClient) {
        let pointer = rd_kafka_queue_get_consumer(consumer.handle)
        self.queue = Mutex(pointer.map { Queue(pointer: $0, client: consumer) })
    }

    deinit { self.close() }

    /// Makes the waiting poll, or else the next one, return at once.
    func wake() {
        self.isPending.store(true, ordering: .sequentiallyConsistent)
        // Under the lock, since the queue must not be freed meanwhile. A yield is kept until a poll finds its queue
        // empty.
        self.queue.withLock { queue in
            if let queue { rd_kafka_queue_yield(queue.pointer) }
        }
    }

    /// Whether a wake was requested since the last call of this method.
    func consumePending() -> Bool { self.isPending.exchange(false, ordering: .sequentiallyConsistent) }

    /// Releases the queue.
    func close() {
        self.queue.withLock { queue in
            if let taken = queue { rd_kafka_queue_destroy(taken.pointer) }
            queue = nil
        }
    }
}
