package import CoreMetrics
internal import IntentEvents

extension Recorder {
    /// How a recorder reads.
    package struct Configuration: Sendable {
        /// The topics' prefix.
        package var prefix: String
        /// The lane's name, stable over restarts.
        package var name: String
        /// Which formats of records are read.
        package var formats = RecordFormats.current
        /// How many records one transaction takes at most: of a backlog as many as are worth it, each transaction writing
        /// the pages of all indexes anew.
        package var maxRecords: Int = 10_000
        /// How many bytes of records, which are in memory meanwhile.
        package var maxBytes: Int = 16 << 20
        /// How long one poll waits for a first record.
        package var pollTimeout: Duration = .seconds(1)
        /// The pause after a first failure; doubled with each further one.
        package var firstRetryDelay: Duration = .milliseconds(100)
        /// The longest pause after a failure.
        package var longestRetryDelay: Duration = .seconds(5)
        /// The deployment whose topics are read; nil when nobody knows it, and only what was recorded tells.
        package var deployment: Deployment?
        /// What it looks after besides its records.
        package var reading = ReadingOptions()
        /// How it is doing, for whoever asks; nil when nobody does.
        package var health: LaneHealth?
        /// Where is told what it measures; nil where nobody counts.
        package var metrics: (any MetricsFactory)?
        /// What the pauses are measured by.
        package var clock: any RuntimeClock = SystemRuntimeClock()

        /// Describes a recorder; everything not named here has the defaults above.
        package init(prefix: String, name: String) {
            self.prefix = prefix
            self.name = name
        }

        /// The lane of the group `<prefix>.record` over all recorded topics (contract, section 1).
        var lane: LaneConfiguration {
            var lane = LaneConfiguration(
                group: "\(self.prefix).record",
                topics: Topic.allCases.filter(\.isRecorded).map { $0.name(prefix: self.prefix) },
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
