import IntentRuntime
import Logging

/// Says, as errors, where the client library cannot take records apart: each place at once, and then once a minute.
///
/// A value with the time passed in. The library tries again several times a second, and for ever.
struct UnreadableRecords {
    /// How long a place is not told of again.
    static let pause = Duration.seconds(60)

    /// What was told of each partition last.
    private var told: [TopicPartition: (offset: Int64, at: Duration, count: Int)] = [:]

    /// Nothing was told yet.
    init() {}

    /// How often the place has failed, if it is to be told of now; nil if it was told not long ago.
    mutating func note(_ partition: TopicPartition, offset: Int64, at now: Duration) -> Int? {
        let last = self.told[partition]
        guard let last, last.offset == offset else {
            self.told[partition] = (offset, now, 1)
            return 1
        }
        guard now - last.at >= Self.pause else {
            self.told[partition]?.count += 1
            return nil
        }
        self.told[partition] = (offset, now, last.count + 1)
        return last.count + 1
    }
}
