internal import Synchronization

/// Counts what several tasks read, and reports the progress.
final class ReadingTally: Sendable {
    private let total: Int64
    private let done = Mutex<Int64>(0)
    private let progress: @Sendable (_ done: Int64, _ total: Int64) -> Void

    init(total: Int64, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void) {
        self.total = total
        self.progress = progress
    }

    func advance(by count: Int64) {
        let done = self.done.withLock { done in
            done += count
            return done
        }
        self.progress(done, self.total)
    }
}
