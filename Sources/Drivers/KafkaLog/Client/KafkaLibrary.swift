import CRDKafka

/// librdkafka itself.
package enum KafkaLibrary {
    /// The version of the library that is loaded.
    package static var version: String { String(cString: rd_kafka_version_str()) }

    /// Whether it has `group.protocol`: KIP-848's protocol beside the classic one, since 2.4.
    static let hasGroupProtocols = rd_kafka_version() >= 0x0204_0000
}
