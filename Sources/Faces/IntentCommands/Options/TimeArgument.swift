import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRuntime

/// A time on the command line: a point in time, or a duration before now.
enum TimeArgument {
    /// Reads `2026-11-21T12:00:00Z`, or `1h` for an hour ago.
    /// - Throws: `ValidationError` for other texts.
    static func read(_ text: String) throws -> Timestamp {
        do throws(OperationError) {
            return try TimeText.required(text, now: SystemRuntimeClock().now)
        } catch {
            throw ValidationError(error.message)
        }
    }
}
