/// The id of a topic; it distinguishes the topic from a recreated one with the same name (KIP-516).
struct TopicID: Sendable, Hashable {
    /// No topic.
    static let zero = TopicID(high: 0, low: 0)

    /// The first eight bytes, big endian.
    var high: UInt64
    /// The last eight bytes, big endian.
    var low: UInt64

    static func random() -> TopicID {
        TopicID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
    }
}
