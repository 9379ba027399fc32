internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import Logging

/// Writes log lines to standard error for machines: one JSON object per line, with sorted keys.
///
/// `time` (ISO 8601, UTC), `level`, `logger`, `message`; the metadata is under `metadata`.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level
    private let label: String

    /// Writes lines of this level and above.
    init(label: String, level: Logger.Level) {
        self.label = label
        self.logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var metadata = self.metadata
        if let provided = self.metadataProvider?.get() { metadata.merge(provided) { $1 } }
        if let own = event.metadata { metadata.merge(own) { $1 } }
        StandardError.write(
            Self.line(
                at: SystemRuntimeClock().now,
                level: event.level,
                label: self.label,
                message: event.message,
                metadata: metadata
            )
        )
    }

    static func line(
        at time: Timestamp,
        level: Logger.Level,
        label: String,
        message: Logger.Message,
        metadata: Logger.Metadata
    ) -> String {
        var line: JSONObject = [
            "time": .string(time.description), "level": .string(level.rawValue), "logger": .string(label),
            "message": .string(message.description),
        ]
        if !metadata.isEmpty { line["metadata"] = .object(metadata.mapValues(Self.json)) }
        return JSONValue.object(line).description + "\n"
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(Self.json))
        case .dictionary(let values): .object(values.mapValues(Self.json))
        }
    }

    /// A logger that writes this way.
    static func logger(_ label: String, level: Logger.Level) -> Logger {
        Logger(label: label) { Self(label: $0, level: level) }
    }
}
