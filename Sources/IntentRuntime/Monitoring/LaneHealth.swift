internal import IntentEvents
import Synchronization

/// How a lane is doing, for whoever asks from outside.
package final class LaneHealth: Sendable {
    /// What a lane is at.
    package enum Phase: Hashable, Sendable {
        /// It joins its group.
        case joining
        /// It reads the state of its partitions back.
        case restoring
        /// It works.
        case working
        /// Another one has what it needs, and it waits to take its place.
        case standingBy
        /// It begins anew after an error.
        case failing(String)
        /// It has left.
        case left
    }

    /// How a lane is doing.
    package struct Report: Hashable, Sendable {
        /// The stage's or the recorder's name.
        package var role: String
        /// The lane's name.
        package var lane: String
        /// What it is at.
        package var phase = Phase.joining
        /// How many partitions it has; none while others have all of them.
        package var partitions = 0
        /// Where reading does not go on although there is more.
        package var standing: Set<TopicPartition> = []
        /// When it last went round its loop, by the clock that nobody sets.
        package var lastRound: Duration

        /// Whether it does what it is there for, or stands by for those that do.
        package var isReady: Bool { self.phase == .standingBy || self.phase == .working && self.standing.isEmpty }

        /// What is wrong, or what it is at, in a few words.
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

    /// Begins before the lane has joined.
    package init(role: String, lane: String, clock: any RuntimeClock) {
        self.clock = clock
        self.state = Mutex(Report(role: role, lane: lane, lastRound: clock.uptime))
    }

    /// How it is doing.
    package var report: Report { self.state.withLock(\.self) }

    /// How long ago it last went round its loop.
    package var sinceLastRound: Duration { self.clock.uptime - self.report.lastRound }

    /// It is at something else now.
    package func enter(_ phase: Phase) {
        self.state.withLock { report in
            report.phase = phase
            report.lastRound = self.clock.uptime
            if phase != .working { report.standing = [] }
        }
    }

    /// It has gone round its loop.
    package func noteRound(partitions: Int) {
        let now = self.clock.uptime
        self.state.withLock { report in
            report.partitions = partitions
            report.lastRound = now
        }
    }

    /// These are the places where reading does not go on although there is more; no others.
    package func set(standing: Set<TopicPartition>) { self.state.withLock { $0.standing = standing } }
}
