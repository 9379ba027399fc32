package import IntentEvents

/// A topic to be made, or an existing one.
package struct TopicDescription: Hashable, Sendable {
    /// The topic's name, prefix included.
    package var name: TopicName
    package var partitions: Int
    /// How many brokers hold a copy.
    package var replicationFactor: Int
    /// Settings by Kafka's names, such as `cleanup.policy` or `retention.ms`; only those that differ from the
    /// broker's own when read back.
    package var configuration: [String: String]

    package init(name: TopicName, partitions: Int, replicationFactor: Int = 1, configuration: [String: String] = [:]) {
        self.name = name
        self.partitions = partitions
        self.replicationFactor = replicationFactor
        self.configuration = configuration
    }
}

extension Identity {
    /// Whether Kafka allows it as the name of a topic or of a static member.
    package var isLegalInKafka: Bool {
        1...249 ~= self.utf8.count
            && self.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
