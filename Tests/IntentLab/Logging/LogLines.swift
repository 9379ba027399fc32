package import Logging
import Synchronization

/// The logged lines, for tests to read.
package final class LogLines: Sendable {
    /// One line.
    package struct Line: Sendable {
        /// The level.
        package var level: Logger.Level
        /// The message.
        package var message: String
        /// The metadata.
        package var metadata: [String: String]
    }

    private struct State {
        var lines: [Line] = []
        /// Those who wait for lines.
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Creates it without lines.
    package init() {}

    /// All lines so far.
    package var all: [Line] { self.state.withLock { $0.lines } }

    /// A logger that writes messages of at least that level here.
    package func logger(_ label: String = "tests", level: Logger.Level = .trace) -> Logger {
        var logger = Logger(label: label) { _ in Handler(lines: self) }
        logger.logLevel = level
        return logger
    }

    /// Waits for a line of this level whose message begins like this, or for the last of so many such lines; the test's
    /// time limit ends a wait in vain.
    package func next(_ level: Logger.Level, _ beginning: String, count: Int = 1) async throws -> Line {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // The lines so far are looked at as well.
        change.yield()
        self.state.withLock { $0.waiting.append(change) }
        for await _ in changes {
            let lines = self.all.filter { $0.level == level && $0.message.hasPrefix(beginning) }
            if lines.count >= count { return lines[count - 1] }
        }
        throw CancellationError()
    }

    private func record(_ line: Line) {
        let waiting = self.state.withLock { state in
            state.lines.append(line)
            return state.waiting
        }
        for one in waiting { one.yield() }
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(lines: LogLines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            let line = Line(level: event.level, message: "\(event.message)", metadata: metadata)
            self.lines.record(line)
        }
    }
}
