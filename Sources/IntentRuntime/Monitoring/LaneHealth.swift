internal import IntentEvents
import Synchronization

/// The condition of a lane, for monitoring.
package final class LaneHealth: Sendable {
    /// The phase of a lane.
    package enum Phase: Hashable, Sendable {
        /// It joins its group.
        case joining
        /// It reads the state of its partitions back.
        case restoring
        /// It works.
        case working
        /// It stands by until another one releases what it needs.
        case standingBy
        /// It restarts after an error.
        case failing(String)
        /// It has left.
        case left
    }

    /// The condition of a lane.
    package struct Report: Hashable, Sendable {
        /// The stage's or the recorder's name.
        package var role: String
        /// The lane's name.
        package var lane: String
        /// Its phase.
        package var phase = Phase.joining
        /// The number of its partitions; 0 while others have all of them.
        package var partitions = 0
        /// The partitions in which reading makes no progress although there is more.
        package var standing: Set<TopicPartition> = []
        /// When it last completed its loop, by the monotonic clock.
        package var lastRound: Duration

        /// Whether it works, or stands by for another one that does.
        package var isReady: Bool { self.phase == .standingBy || self.phase == .working && self.standing.isEmpty }

        /// What is wrong, or its phase, in a few words.
        package var words: String {
            let partitions = self.partitions == 1 ? "1 partition" : "\(self.partitions) partitions"
            return switch self.phase {
            case .joining: "joins its group"
            case .restoring: "reads its state back"
            case .standingBy: "stands by"
            case .failing(let error): "begins anew after an error: \(error)"
            case .left: "has left"
            case .working where !self.standing.isEmpty:
                "does not go on at \(self.standing.sorted().map(\.description).joined(separator: ", "))"
            case .working: self.partitions == 0 ? "stands by: others have all partitions" : "works on \(partitions)"
            }
        }
    }

    private let clock: any RuntimeClock
    private let state: Mutex<Report>

    /// Starts before the lane has joined.
    package init(role: String, lane: String, clock: any RuntimeClock) {
        self.clock = clock
        self.state = Mutex(Report(role: role, lane: lane, lastRound: clock.uptime))
    }

    /// Its condition.
    package var report: Report { self.state.withLock(\.self) }

    /// How long ago it last completed its loop.
    package var sinceLastRound: Duration { self.clock.uptime - self.report.lastRound }

    /// It enters another phase.
    package func enter(_ phase: Phase) {
        self.state.withLock { report in
            report.phase = phase
            report.lastRound = self.clock.uptime
            if phase != .working { report.standing = [] }
        }
    }

    /// It has completed its loop.
    package func noteRound(partitions: Int) {
        let now = self.clock.uptime
        self.state.withLock { report in
            report.partitions = partitions
            report.lastRound = now
        }
    }

    /// Sets the partitions in which reading makes no progress although there is more.
    package func set(standing: Set<TopicPartition>) { self.state.withLock { $0.standing = standing } }
}
