import IntentEvents
import IntentRuntime

/// Reads what a member wants to read, and the partitions that a group's leader assigns to it, from their bytes.
///
/// The formats are Kafka's `ConsumerProtocolSubscription`, a version and names of topics, and
/// `ConsumerProtocolAssignment`, a version and topics each with a name and partitions; the client's own data follow. Any
/// client can write the bytes, so they are not trusted: what cannot be read is no partition.
enum MemberAssignment {
    /// The partitions, in order; none when the bytes are not an assignment.
    static func partitions(_ bytes: [UInt8]) -> [TopicPartition] {
        var rest = bytes[...]
        guard let version = Self.integer(2, &rest), version >= 0, let topics = Self.integer(4, &rest) else { return [] }
        var partitions: Set<TopicPartition> = []
        for _ in 0..<max(0, topics) {
            guard let length = Self.integer(2, &rest), 0...rest.count ~= length else { return [] }
            let name = TopicName(String(decoding: rest.prefix(length), as: UTF8.self))
            rest = rest.dropFirst(length)
            guard let count = Self.integer(4, &rest), 0...rest.count / 4 ~= count else { return [] }
            for _ in 0..<count {
                guard let partition = Self.integer(4, &rest), partition >= 0 else { return [] }
                partitions.insert(TopicPartition(name, partition))
            }
        }
        return partitions.sorted()
    }

    /// The topics of a subscription, in order; none when the bytes are not a subscription.
    static func topics(_ bytes: [UInt8]) -> [TopicName] {
        var rest = bytes[...]
        guard let version = Self.integer(2, &rest), version >= 0, let count = Self.integer(4, &rest) else { return [] }
        var topics: Set<TopicName> = []
        for _ in 0..<max(0, count) {
            guard let length = Self.integer(2, &rest), 0...rest.count ~= length else { return [] }
            topics.insert(TopicName(String(decoding: rest.prefix(length), as: UTF8.self)))
            rest = rest.dropFirst(length)
        }
        return topics.sorted()
    }

    /// The next integer of that many bytes, the most significant first; nil at the end.
    private static func integer(_ size: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= size else { return nil }
        let value = rest.prefix(size).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        rest = rest.dropFirst(size)
        return size == 2 ? Int(Int16(truncatingIfNeeded: value)) : Int(Int32(truncatingIfNeeded: value))
    }
}
