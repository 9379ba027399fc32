package import CoreMetrics
internal import IntentEvents
package import IntentRuntime

extension Recorder {
    package struct Configuration: Sendable {
        /// The topics' prefix.
        package var prefix: String
        /// The lane's name, stable over restarts.
        package var name: String
        /// The formats of records that it reads.
        package var formats = RecordFormats.current
        /// The maximum number of records in one transaction.
        ///
        /// For a backlog it is large, since each transaction writes the pages of all indexes again.
        package var maxRecords: Int = 10_000
        /// The maximum size of these records in bytes, since they are in memory meanwhile.
        package var maxBytes: Int = 16 << 20
        /// How long one poll waits for a first record.
        package var pollTimeout: Duration = .seconds(1)
        /// The pause after a first failure; doubled with each further one.
        package var firstRetryDelay: Duration = .milliseconds(100)
        package var longestRetryDelay: Duration = .seconds(5)
        /// The deployment whose topics are read; nil when it is not known, and only the recorded topics can be
        /// compared.
        package var deployment: Deployment?
        /// What it checks besides its records.
        package var reading = ReadingOptions()
        /// How its lane leaves when the recorder stops.
        package var departure: @Sendable () -> LaneDeparture = { .remainInGroup }
        /// Its condition, for monitoring; nil for none.
        package var health: LaneHealth?
        /// The metrics backend; nil for none.
        package var metrics: (any MetricsFactory)?
        /// The clock for pauses.
        package var clock: any RuntimeClock = SystemRuntimeClock()

        /// Describes a recorder; everything not named here has the defaults above.
        package init(prefix: String, name: String) {
            self.prefix = prefix
            self.name = name
        }

        /// The lane of the group `<prefix>.record` over all recorded topics (contract, section 1).
        package var lane: LaneConfiguration {
            var lane = LaneConfiguration(
                group: WorkerRole.record.group(prefix: self.prefix),
                topics: WorkerRole.record.topics.map { $0.name(prefix: self.prefix) },
                name: LaneName(self.name)
            )
            lane.delivery = .consumeOnly
            lane.pollBytes = self.maxBytes
            return lane
        }

        /// The pause after so many failures in a row.
        func retryDelay(after failures: Int) -> Duration {
            let factor = 1 << min(max(failures - 1, 0), 20)
            return min(self.firstRetryDelay * factor, self.longestRetryDelay)
        }
    }
}
