package import IntentEvents
internal import IntentRuntime

/// A time as people write it: a point in time (UTC), or a duration before now.
package enum TimeText {
    /// Reads `2026-11-21`, `2026-11-21T12:30`, `2026-11-21T12:30:00Z`, or `1h` for an hour ago; nil for other texts.
    package static func read(_ text: String, now: Timestamp) -> Timestamp? {
        for full in [text, text + "Z", text + ":00Z", text + "T00:00:00Z"] {
            if let time = Timestamp(full) { return time }
        }
        return DurationText.read(text).map { now + -$0.milliseconds }
    }

    /// Reads a time that was asked for.
    /// - Throws: ``OperationError``, `usage`, for other texts.
    package static func required(_ text: String, now: Timestamp) throws(OperationError) -> Timestamp {
        guard let time = Self.read(text, now: now) else {
            throw OperationError(
                .usage,
                "'\(text)' is not a time such as 2026-11-21T12:00:00Z or 2026-11-21, or a duration such as 1h"
            )
        }
        return time
    }
}
