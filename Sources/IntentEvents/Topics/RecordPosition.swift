/// The position of a record, with the topic's short name.
package struct RecordPosition: Hashable, Sendable, CustomStringConvertible {
    /// The topic.
    package var topic: Topic
    /// The partition.
    package var partition: Int
    /// The offset.
    package var offset: Int64

    /// Makes a position.
    package init(_ topic: Topic, _ partition: Int, _ offset: Int64) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
    }

    /// `topic/partition/offset`.
    package var description: String { "\(self.topic.rawValue)/\(self.partition)/\(self.offset)" }

    /// Appends the text of ``description``.
    package func write(to text: inout [UInt8]) {
        text.append(contentsOf: self.topic.rawValue.utf8)
        text.append(UInt8(ascii: "/"))
        text.append(contentsOf: String(self.partition).utf8)
        text.append(UInt8(ascii: "/"))
        text.append(contentsOf: String(self.offset).utf8)
    }

    /// Reads `topic/partition/offset`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let topic = Topic(rawValue: String(parts[0])), let partition = Int(parts[1]),
            let offset = Int64(parts[2])
        else { return nil }
        self.init(topic, partition, offset)
    }
}
