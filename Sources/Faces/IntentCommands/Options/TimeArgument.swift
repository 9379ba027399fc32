import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRuntime

/// A time on the command line: a point in time, or a duration before now.
enum TimeArgument {
    /// Reads `2026-11-21T12:00:00Z`, or `1h` for an hour ago.
    /// - Throws: `ValidationError` for other texts.
    static func read(_ text: String) throws -> Timestamp {
        if let time = Timestamp(text) { return time }
        guard let duration = DurationText.read(text) else {
            throw ValidationError("'\(text)' is not a time such as 2026-11-21T12:00:00Z, or a duration such as 1h")
        }
        return SystemRuntimeClock().now + -duration.milliseconds
    }
}
