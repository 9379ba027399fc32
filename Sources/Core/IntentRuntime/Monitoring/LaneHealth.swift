package import IntentEvents
import Synchronization

/// The condition of a lane, for monitoring.
package final class LaneHealth: Sendable {
    package enum Phase: Hashable, Sendable {
        case joining
        /// It reads the state of its partitions back.
        case restoring
        case working
        /// It waits until another one releases what it needs.
        case standby
        /// It restarts after an error.
        case failing(String)
        case left
    }

    /// The condition of a lane.
    package struct Report: Hashable, Sendable {
        /// The stage's or the recorder's name.
        package var role: String
        package var lane: String
        package var phase = Phase.joining
        /// The number of its partitions; 0 while others have all of them.
        package var partitions = 0
        /// The partitions in which reading makes no progress although there is more.
        package var stalled: Set<TopicPartition> = []
        /// When reading was first seen to stay at its offset although there is more, by partition.
        ///
        /// These and all other times here are by the monotonic clock. A partition that stays for long is `stalled`.
        package var notAdvancingSince: [TopicPartition: Duration] = [:]
        /// What is wrong with the deployment's topics; nil while they are as they were made.
        package var topics: String?
        /// The number of turns that are parked, or whose interactions wait for the next attempt.
        package var parked = 0
        /// When the first attempt of the oldest of them began.
        package var parkedSince: Duration?
        /// The pauses that its partitions have (R82).
        package var pauses: Set<Pause> = []
        /// The number of events that it has sent to dead letters since its process started.
        package var deadLetters = 0
        /// The error of the last of them.
        package var lastDeadLetter: String?
        /// When the last of them was sent.
        package var lastDeadLetterAt = Duration.zero
        /// When its process started it, by the wall clock.
        package var startedAt: Timestamp
        /// When it last completed its loop.
        package var lastRound: Duration
        /// When it was asked.
        package var asOf: Duration

        /// Whether it works, or waits for another one that does.
        package var isReady: Bool {
            self.topics == nil && (self.phase == .standby || self.phase == .working && self.stalled.isEmpty)
        }

        /// What is wrong, or its phase, in a few words.
        package var description: String {
            if let topics = self.topics { return "cannot work: \(topics)" }
            let partitions = self.partitions == 1 ? "1 partition" : "\(self.partitions) partitions"
            return switch self.phase {
            case .joining: "is joining its group"
            case .restoring: "is restoring its state"
            case .standby: "is on standby"
            case .failing(let error): "is restarting after an error: \(error)"
            case .left: "has left its group"
            case .working where !self.stalled.isEmpty:
                "is stalled at \(self.stalled.sorted().map(\.description).joined(separator: ", "))"
            case .working:
                self.partitions == 0 ? "is on standby: other lanes have all partitions" : "is working on \(partitions)"
            }
        }

        /// How long reading has stayed at one offset although there is more, in the partition where that is longest.
        package var longestStall: Duration { self.notAdvancingSince.values.min().map { self.asOf - $0 } ?? .zero }

        /// How long ago the first attempt of the oldest parked turn began.
        package var longestParked: Duration { self.parkedSince.map { self.asOf - $0 } ?? .zero }

        /// How long ago it last completed its loop; a lane that has left has none.
        package var sinceLastRound: Duration { self.phase == .left ? .zero : self.asOf - self.lastRound }

        /// The time for one round of the loop after which a note says so: an idle lane takes one second.
        private static let slowRound = Duration.seconds(3)

        /// What is shown in addition to ``description``: what makes no progress or has failed, even if that is not an error
        /// yet.
        package var notes: [String] {
            var notes: [String] = []
            for (partition, since) in self.notAdvancingSince.sorted(by: { $0.key < $1.key })
            where !self.stalled.contains(partition) {
                let time = Self.seconds(self.asOf - since)
                notes.append("has not advanced in \(partition) for \(time) although there are more records")
            }
            if self.phase == .working, self.sinceLastRound >= Self.slowRound {
                notes.append("has made no progress in its loop for \(Self.seconds(self.sinceLastRound))")
            }
            if self.parked > 0 {
                let turns = self.parked == 1 ? "1 turn is parked" : "\(self.parked) turns are parked"
                notes.append("\(turns), the longest for \(Self.seconds(self.longestParked))")
            }
            if let error = self.lastDeadLetter {
                let letters = self.deadLetters == 1 ? "1 dead letter" : "\(self.deadLetters) dead letters"
                let last = "the last \(Self.seconds(self.asOf - self.lastDeadLetterAt)) ago: \(error)"
                notes.append("\(letters) since \(self.startedAt), \(last)")
            }
            return notes
        }

        private static func seconds(_ time: Duration) -> String { "\(time.components.seconds) s" }
    }

    private let clock: any RuntimeClock
    private let state: Mutex<Report>

    /// Starts before the lane has joined.
    package init(role: String, lane: String, clock: any RuntimeClock) {
        self.clock = clock
        let now = clock.uptime
        self.state = Mutex(Report(role: role, lane: lane, startedAt: clock.now, lastRound: now, asOf: now))
    }

    package var report: Report {
        var report = self.state.withLock(\.self)
        report.asOf = self.clock.uptime
        return report
    }

    package func enter(_ phase: Phase) {
        self.state.withLock { report in
            report.phase = phase
            report.lastRound = self.clock.uptime
            guard phase != .working else { return }
            report.stalled = []
            report.notAdvancingSince = [:]
            report.parked = 0
            report.parkedSince = nil
            report.pauses = []
        }
    }

    /// It has completed its loop.
    package func recordRound(partitions: Int) {
        let now = self.clock.uptime
        self.state.withLock { report in
            report.partitions = partitions
            report.lastRound = now
        }
    }

    /// Sets the partitions in which reading makes no progress although there is more, and since when.
    package func set(stalled: Set<TopicPartition>, notAdvancingSince: [TopicPartition: Duration]) {
        self.state.withLock { report in
            report.stalled = stalled
            report.notAdvancingSince = notAdvancingSince
        }
    }

    /// Sets what is wrong with the deployment's topics; nil for nothing.
    package func set(topics: String?) { self.state.withLock { $0.topics = topics } }

    /// Sets the number of parked turns, and when the first attempt of the oldest began.
    package func set(parked: Int, since: Duration?) {
        self.state.withLock { report in
            report.parked = parked
            report.parkedSince = since
        }
    }

    /// Sets the pauses.
    package func set(pauses: Set<Pause>) { self.state.withLock { $0.pauses = pauses } }

    /// Counts events that were sent to dead letters, by their errors.
    package func recordDeadLetters(_ errors: [String]) {
        guard let last = errors.last else { return }
        let now = self.clock.uptime
        self.state.withLock { report in
            report.deadLetters += errors.count
            report.lastDeadLetter = last
            report.lastDeadLetterAt = now
        }
    }
}
