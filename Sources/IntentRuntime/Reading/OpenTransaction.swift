package import IntentEvents
package import Logging
import Telemetry

/// A transaction that is open and holds readers up: what can be told of it.
///
/// Which producer it is of, only brokers know (`kafka-transactions.sh describe-producers`): neither the client library
/// nor a record says so. What its first record says of itself is told instead.
package struct OpenTransaction: Hashable, Sendable {
    /// Where.
    package var partition: TopicPartition
    /// The offset of its first record: readers of committed records stop here.
    package var offset: Int64
    /// How many offsets wait behind that.
    package var behind: Int64
    /// How long it has been open: by its first record's timestamp, and at least as long as it was seen.
    package var age: Duration
    /// The key of its first record: on `requests`, a user.
    package var key: String?
    /// Where its first record says that it comes from (`ce_source`).
    package var source: String?

    /// The longest text that is told of a key or a source.
    private static let longestText = 80

    /// Describes a transaction.
    ///
    /// - Parameters:
    ///   - partition: Where.
    ///   - sight: Where the partition ends, for readers and for all.
    ///   - firstRecord: The record at the last stable offset, if it could be had.
    ///   - seenFor: How long the last stable offset has been seen to stand.
    ///   - now: The wall clock.
    package init(
        _ partition: TopicPartition,
        _ sight: ReadingWatch.Sight,
        firstRecord: LogRecord?,
        seenFor: Duration,
        now: Timestamp
    ) {
        self.partition = partition
        self.offset = sight.lastStable
        self.behind = sight.end - sight.lastStable
        let written = firstRecord.map { Timestamp(milliseconds: max(0, $0.timestamp)) }
        // A client's clock may be anything: no more than a day is believed, and no less than what was seen.
        let told = written.map { Duration.milliseconds(min(max(0, now.milliseconds - $0.milliseconds), 86_400_000)) }
        self.age = max(seenFor, told ?? .zero)
        self.key = firstRecord?.key.map { Self.text($0) }
        self.source = firstRecord?.headers.last { $0.name == EventHeaderName.source }?.value.map { Self.text($0) }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(Self.longestText), as: UTF8.self)
        return String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }

    /// What a log line says of it.
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
