/// A topic's settings, by Kafka's names.
///
/// The settings that the broker acts on are checked. The other settings of Kafka 3.8 are accepted, stored and shown, so
/// that tools made for Kafka work unchanged. An unknown name is refused.
struct TopicConfiguration: Sendable, Equatable {
    /// The settings that have been set, by name.
    private(set) var values: [String: String] = [:]
    /// The largest batch in bytes.
    private(set) var maxMessageBytes = 0
    /// Whether `max.message.bytes` bounds whole batches at their size before compression, as on Kafka.
    private(set) var isUncompressed = false
    /// The time for which records are kept; nil means forever.
    private(set) var retentionMs: Int64?
    /// The time for which a tombstone is kept in a compacted topic.
    private(set) var deleteRetentionMs: Int64 = 0
    /// The age that a record must have before compaction may drop it.
    private(set) var minCompactionLagMs: Int64 = 0
    /// Whether old records are dropped.
    private(set) var isDeleting = false
    /// Whether only the latest record of a key is kept.
    private(set) var isCompacting = false

    init() {
        self.read()
    }

    /// Every known setting with its default.
    static let defaults: [String: String] = [
        "cleanup.policy": "delete",
        "compression.type": "producer",
        "delete.retention.ms": "86400000",
        "file.delete.delay.ms": "60000",
        "flush.messages": "9223372036854775807",
        "flush.ms": "9223372036854775807",
        "index.interval.bytes": "4096",
        "max.compaction.lag.ms": "9223372036854775807",
        "max.message.bytes": "1048588",
        "message.timestamp.type": "CreateTime",
        "min.cleanable.dirty.ratio": "0.5",
        "min.compaction.lag.ms": "0",
        "min.insync.replicas": "1",
        "preallocate": "false",
        "retention.bytes": "-1",
        "retention.ms": "604800000",
        "segment.bytes": "1073741824",
        "segment.index.bytes": "10485760",
        "segment.jitter.ms": "0",
        "segment.ms": "604800000",
        "unclean.leader.election.enable": "false",
    ]

    /// The settings whose values are whole numbers, with their ranges.
    private static let integers: [String: ClosedRange<Int64>] = [
        "delete.retention.ms": 0 ... .max, "max.message.bytes": 0...Int64(Int32.max),
        "min.compaction.lag.ms": 0 ... .max, "retention.bytes": -1 ... .max, "retention.ms": -1 ... .max,
    ]

    /// The values of `compression.type`; with any of them, batches are kept as they were received.
    private static let compressionTypes: Set = ["producer", "uncompressed", "gzip", "snappy", "lz4", "zstd"]

    /// The longest value in bytes.
    private static let maxValueBytes = 256

    /// Sets a setting or, with nil, unsets it; returns what is wrong with it, if anything is.
    mutating func set(_ name: String, to value: String?) -> String? {
        guard Self.defaults[name] != nil else { return "Unknown topic config name: \(name)" }
        guard let value else {
            self.values[name] = nil
            self.read()
            return nil
        }
        guard value.utf8.count <= Self.maxValueBytes else { return "The value for configuration \(name) is too long" }
        if let allowed = Self.integers[name] {
            guard let number = Int64(value), allowed.contains(number) else {
                return "Invalid value \(value) for configuration \(name)"
            }
        }
        if name == "compression.type", !Self.compressionTypes.contains(value) {
            return "Invalid value \(value) for configuration \(name)"
        }
        if name == "cleanup.policy" {
            let policies = value.split(separator: ",").map { $0.filter { $0 != " " } }
            guard !policies.isEmpty, policies.allSatisfy({ $0 == "delete" || $0 == "compact" }) else {
                return "Invalid value \(value) for configuration \(name)"
            }
        }
        if name == "message.timestamp.type", value != "CreateTime" {
            return "Only CreateTime is supported for configuration \(name)"
        }
        self.values[name] = value
        self.read()
        return nil
    }

    /// The effective value.
    func value(_ name: String) -> String {
        self.values[name] ?? Self.defaults[name] ?? ""
    }

    private func number(_ name: String) -> Int64 {
        Int64(self.value(name)) ?? 0
    }

    /// Parses the settings that the broker acts on, once for each change instead of for each batch.
    private mutating func read() {
        let retention = self.number("retention.ms")
        let policy = self.value("cleanup.policy")
        self.maxMessageBytes = Int(clamping: self.number("max.message.bytes"))
        self.isUncompressed = self.value("compression.type") == "uncompressed"
        self.retentionMs = retention < 0 ? nil : retention
        self.deleteRetentionMs = self.number("delete.retention.ms")
        self.minCompactionLagMs = self.number("min.compaction.lag.ms")
        self.isDeleting = policy.contains("delete")
        self.isCompacting = policy.contains("compact")
    }
}
