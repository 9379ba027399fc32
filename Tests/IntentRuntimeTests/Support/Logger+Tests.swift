import Logging
import Synchronization

extension Logger {
    /// Prints messages of at least that level.
    static func tests(_ level: Logger.Level = .error) -> Logger {
        var logger = Logger(label: "tests")
        logger.logLevel = level
        return logger
    }
}

/// Collects what is logged.
final class LogLines: Sendable {
    /// A message with its metadata.
    struct Line: Sendable {
        var level: Logger.Level
        var message: String
        var metadata: Logger.Metadata
    }

    private let lines = Mutex<[Line]>([])

    /// What was logged so far.
    var all: [Line] { self.lines.withLock { $0 } }

    /// A logger that writes here.
    var logger: Logger { Logger(label: "tests") { _ in Handler(lines: self) } }

    private func record(_ line: Line) { self.lines.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        init(lines: LogLines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
            self.lines.record(Line(level: event.level, message: "\(event.message)", metadata: metadata))
        }
    }
}
