struct Topic: Sendable {
    /// The row in the store.
    let id: Int64
    let name: Name
    /// The id on the wire (KIP-516).
    let topicID: TopicID
    var configuration: TopicConfiguration
    var partitions: [PartitionLog]

    /// Whether the protocol allows the name.
    static func isValidName(_ name: Name) -> Bool {
        !name.isEmpty && name.text.utf8.count <= 249 && name != "." && name != ".."
            && name.text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
