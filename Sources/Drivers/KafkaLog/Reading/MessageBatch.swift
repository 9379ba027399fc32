import CRDKafka

/// Removes messages from a consumer's queue: it waits for one, and then gets all available ones with one lock, not one
/// each.
///
/// It is used on the reader's thread, within one call.
struct MessageBatch: ~Copyable {
    private static let capacity = 1_000

    private let handle: OpaquePointer
    private let queue: OpaquePointer?
    private let messages: UnsafeMutablePointer<UnsafeMutablePointer<rd_kafka_message_t>?>
    private var count = 0
    private var consumed = 0

    init(_ client: KafkaClient) {
        self.handle = client.handle
        self.queue = rd_kafka_queue_get_consumer(client.handle)
        self.messages = .allocate(capacity: Self.capacity)
    }

    deinit {
        for index in self.consumed..<self.count { rd_kafka_message_destroy(self.messages[index]) }
        self.messages.deallocate()
        self.queue.map(rd_kafka_queue_destroy)
    }

    /// The number of messages in the queue.
    var queued: Int { self.queue.map(rd_kafka_queue_length) ?? 0 }

    /// Removes and returns the next message.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of messages that are removed from the queue together.
    ///   - wait: How long to wait for one, in milliseconds.
    /// - Returns: The message, which the caller destroys; nil when none comes in time.
    mutating func next(limit: Int, wait: Int32) -> UnsafeMutablePointer<rd_kafka_message_t>? {
        if self.consumed == self.count {
            // A batch call waits until the batch is full, so only available messages are read as a batch.
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
