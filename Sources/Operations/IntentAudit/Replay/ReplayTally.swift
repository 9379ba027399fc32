internal import Synchronization

/// The results of a replay so far, from all partitions.
final class ReplayTally: Sendable {
    private struct State {
        var report: ReplayReport
        var done: Int64 = 0
    }

    private let state: Mutex<State>
    private let total: Int64
    private let progress: @Sendable (_ done: Int64, _ total: Int64) -> Void

    init(limit: Int, total: Int64, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void) {
        self.state = Mutex(State(report: ReplayReport(limit: limit)))
        self.total = total
        self.progress = progress
    }

    /// Counts journal records that were read.
    func advance(_ count: Int64) {
        let done = self.state.withLock { state in
            state.done += count
            return state.done
        }
        self.progress(done, self.total)
    }

    func add(matched: Int, _ verdicts: [TurnVerdict]) {
        self.state.withLock { state in
            state.report.addMatched(matched)
            for verdict in verdicts { state.report.add(verdict) }
        }
    }

    /// Counts events that wait for their turn.
    func add(waiting: Int) { self.state.withLock { $0.report.waiting += waiting } }

    /// The report, sorted.
    var report: ReplayReport {
        var report = self.state.withLock(\.report)
        report.sort()
        return report
    }
}
