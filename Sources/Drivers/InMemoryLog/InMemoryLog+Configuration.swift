#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension InMemoryLog {
    package struct Configuration: Sendable {
        /// Measures the time-outs of polls and sessions.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// The current time in milliseconds since 1970, for records that have none.
        package var timestamp: @Sendable () -> Int64 = InMemoryLog.systemTimestamp
        /// Whether a transaction takes one more offset in each partition that it wrote to, as Kafka's markers do.
        ///
        /// On by default, so that no code comes to rely on offsets without gaps.
        package var marksTransactions = true
        /// The largest record of a topic that does not set `max.message.bytes` itself, counted as Kafka does.
        package var maximumRecordSize = 1_048_588

        package init() {}
    }

    /// The system's time in milliseconds since 1970.
    package static func systemTimestamp() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
