import CRDKafka

/// Takes messages off a consumer's queue: one to wait for, and then all that are there with one lock, not one each.
///
/// Used on the reader's thread, within one call.
struct MessageBatch: ~Copyable {
    private static let capacity = 1_000

    private let handle: OpaquePointer
    private let queue: OpaquePointer?
    private let messages: UnsafeMutablePointer<UnsafeMutablePointer<rd_kafka_message_t>?>
    private var count = 0
    private var consumed = 0

    /// Prepares to take a client's messages.
    init(_ client: KafkaClient) {
        self.handle = client.handle
        self.queue = rd_kafka_queue_get_consumer(client.handle)
        self.messages = .allocate(capacity: Self.capacity)
    }

    deinit {
        for place in self.consumed..<self.count { rd_kafka_message_destroy(self.messages[place]) }
        self.messages.deallocate()
        self.queue.map(rd_kafka_queue_destroy)
    }

    /// How many messages lie in the queue.
    var queued: Int { self.queue.map(rd_kafka_queue_length) ?? 0 }

    /// Takes the next message.
    ///
    /// - Parameters:
    ///   - limit: At most so many are taken off the queue.
    ///   - wait: How long to wait for one, in milliseconds.
    /// - Returns: The message, which the caller destroys; nil when none comes in time.
    mutating func next(limit: Int, wait: Int32) -> UnsafeMutablePointer<rd_kafka_message_t>? {
        if self.consumed == self.count {
            // A batch is waited for until it is full: only what is there is taken as one.
            guard wait == 0 else { return rd_kafka_consumer_poll(self.handle, wait) }
            let size = min(limit, Self.capacity)
            self.consumed = 0
            self.count = max(0, rd_kafka_consume_batch_queue(self.queue, 0, self.messages, size))
            guard self.count > 0 else { return nil }
        }
        self.consumed += 1
        return self.messages[self.consumed - 1]
    }
}
