internal import Foundation
internal import IntentEvents
internal import IntentRuntime
internal import Logging

/// Writes log lines to standard error for people: date and time (UTC), level, message, then the metadata.
struct ReadableLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level

    /// Writes lines of this level and above.
    init(level: Logger.Level) {
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
            Self.line(at: SystemRuntimeClock().now, level: event.level, message: event.message, metadata: metadata)
        )
    }

    static func line(
        at time: Timestamp,
        level: Logger.Level,
        message: Logger.Message,
        metadata: Logger.Metadata
    ) -> String {
        var line =
            "\(time.description.prefix(10)) \(time.description.dropFirst(11).prefix(12)) \(level.rawValue.uppercased())  \(message)"
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line += "  \(key)=\(value)"
        }
        // A message with text from a client must not look like a second line.
        return String(line.map { $0.isNewline ? " " : $0 }) + "\n"
    }

    /// A logger that writes this way.
    static func logger(_ label: String, level: Logger.Level) -> Logger {
        Logger(label: label) { _ in Self(level: level) }
    }
}
