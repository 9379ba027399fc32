import CRDKafka

/// librdkafka itself.
package enum KafkaLibrary {
    /// The version of the library that is loaded.
    package static var version: String { String(cString: rd_kafka_version_str()) }
}
