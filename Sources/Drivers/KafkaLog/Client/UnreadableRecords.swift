import IntentRuntime
import Logging

/// Logs, as errors, where the client library cannot parse records: each position at once, and then once a minute.
///
/// This is a value, with the time passed in. The library retries several times a second, forever.
struct UnreadableRecords {
    /// How long a position is not reported again.
    static let pause = Duration.seconds(60)

    /// The last report about each partition.
    private var reported: [TopicPartition: (offset: Int64, at: Duration, count: Int)] = [:]

    /// How often the position has failed, if it has to be reported now; nil if it was reported recently.
    mutating func record(_ partition: TopicPartition, offset: Int64, at now: Duration) -> Int? {
        let last = self.reported[partition]
        guard let last, last.offset == offset else {
            self.reported[partition] = (offset, now, 1)
            return 1
        }
        guard now - last.at >= Self.pause else {
            self.reported[partition]?.count += 1
            return nil
        }
        self.reported[partition] = (offset, now, last.count + 1)
        return last.count + 1
    }
}
