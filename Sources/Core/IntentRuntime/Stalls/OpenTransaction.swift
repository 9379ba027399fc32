package import IntentEvents
package import Logging
import Telemetry

/// What is known about an open transaction that blocks readers.
///
/// Only brokers know which producer it belongs to (`kafka-transactions.sh describe-producers`); neither the client
/// library nor a record says so. So messages describe its first record instead.
package struct OpenTransaction: Hashable, Sendable {
    package var partition: TopicPartition
    /// The offset of its first record: readers of committed records stop here.
    package var offset: Int64
    /// The number of offsets behind it.
    package var behind: Int64
    /// How long it has been open: by its first record's timestamp, but at least as long as it has been observed.
    package var age: Duration
    /// The key of its first record: on `requests`, a user.
    package var key: String?
    /// The source of its first record (`ce_source`).
    package var source: String?

    /// The maximum length of a key or a source in messages.
    private static let longestText = 80

    /// Describes a transaction.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - observation: The ends of the partition, for committed and for all records.
    ///   - firstRecord: The record at the last stable offset, if it could be read.
    ///   - seenFor: How long the last stable offset has not moved.
    ///   - now: The wall clock.
    package init(
        _ partition: TopicPartition,
        _ observation: ReadingWatch.Observation,
        firstRecord: LogRecord?,
        seenFor: Duration,
        now: Timestamp
    ) {
        self.partition = partition
        self.offset = observation.lastStable
        self.behind = observation.end - observation.lastStable
        let written = firstRecord.map { Timestamp(milliseconds: max(0, $0.timestamp)) }
        // A client's clock may be anything: at most a day is believed, and at least the observed time.
        let age = written.map { Duration.milliseconds(min(max(0, now.milliseconds - $0.milliseconds), 86_400_000)) }
        self.age = max(seenFor, age ?? .zero)
        self.key = firstRecord?.key.map { Self.text($0) }
        self.source = firstRecord?.headers.last { $0.name == EventHeaderName.source }?.value.map { Self.text($0) }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(Self.longestText), as: UTF8.self)
        return String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }

    /// The metadata of its log line.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            TelemetryKey.partition: "\(self.partition)", TelemetryKey.offset: "\(self.offset)",
            TelemetryKey.behind: "\(self.behind)",
            TelemetryKey.seconds: "\(self.age.components.seconds)",
        ]
        if let key = self.key { metadata[TelemetryKey.recordKey] = "\(key)" }
        if let source = self.source { metadata[TelemetryKey.recordSource] = "\(source)" }
        return metadata
    }
}
