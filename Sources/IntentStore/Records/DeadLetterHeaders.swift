internal import IntentRuntime

/// What the headers of a dead letter say (SPEC R47).
struct DeadLetterHeaders: Hashable, Sendable {
    /// `intentd_error`: the kind of defect.
    var error: String?
    /// `intentd_detail`: what is wrong.
    var detail: String?
    /// `kafka_dlt-original-topic`.
    var topic: String?
    /// `kafka_dlt-original-partition`.
    var partition: Int64?
    /// `kafka_dlt-original-offset`.
    var offset: Int64?
    /// `kafka_dlt-original-timestamp`.
    var timestamp: Int64?
    /// `kafka_dlt-exception-fqcn`.
    var exceptionClass: String?
    /// `kafka_dlt-exception-message`.
    var exceptionMessage: String?

    /// Reads the headers; the last of each name counts.
    init(_ record: LogRecord) {
        self.error = record.header("intentd_error")
        self.detail = record.header("intentd_detail")
        self.topic = record.header("kafka_dlt-original-topic")
        self.partition = Self.integer("kafka_dlt-original-partition", record)
        self.offset = Self.integer("kafka_dlt-original-offset", record)
        self.timestamp = Self.integer("kafka_dlt-original-timestamp", record)
        self.exceptionClass = record.header("kafka_dlt-exception-fqcn")
        self.exceptionMessage = record.header("kafka_dlt-exception-message")
    }

    /// A number in digits, or big-endian in 4 or 8 bytes as Spring Kafka writes it.
    private static func integer(_ name: String, _ record: LogRecord) -> Int64? {
        if let digits = record.header(name).flatMap({ Int64($0) }) { return digits }
        guard let bytes = record.headers.last(where: { $0.name == name })?.value else { return nil }
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return switch bytes.count {
        case 4: Int64(Int32(truncatingIfNeeded: value))
        case 8: Int64(bitPattern: value)
        default: nil
        }
    }
}
