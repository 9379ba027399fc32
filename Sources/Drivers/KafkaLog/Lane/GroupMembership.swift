import CRDKafka

/// A member's membership of its group at one moment: generation, member id, instance id.
///
/// librdkafka rejoins without telling its caller, and its metadata then belong to another generation: a commit with
/// them would be valid for an assignment that the caller never saw. So the membership at the assignment is kept and
/// compared.
struct GroupMembership: ~Copyable {
    /// librdkafka's metadata, for `send_offsets_to_transaction`.
    let pointer: OpaquePointer

    /// The member's current membership; nil when the consumer is closed.
    init?(of consumer: KafkaClient) {
        guard let pointer = rd_kafka_consumer_group_metadata(consumer.handle) else { return nil }
        self.pointer = pointer
    }

    deinit { rd_kafka_consumer_group_metadata_destroy(self.pointer) }

    /// The membership as bytes, equal exactly if generation, member and instance are.
    var fingerprint: [UInt8] {
        var buffer: UnsafeMutableRawPointer?
        var size = 0
        if let error = rd_kafka_consumer_group_metadata_write(self.pointer, &buffer, &size) {
            rd_kafka_error_destroy(error)
            return []
        }
        guard let buffer else { return [] }
        defer { rd_kafka_mem_free(nil, buffer) }
        return Array(UnsafeRawBufferPointer(start: buffer, count: size))
    }
}
