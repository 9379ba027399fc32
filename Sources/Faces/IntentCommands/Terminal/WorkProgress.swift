import Foundation
import IntentOperations
import Synchronization

/// Shows the progress of work on a terminal; shows nothing elsewhere, and nothing for short work.
final class WorkProgress: Sendable {
    /// Shorter work shows nothing.
    private static let delay = Duration.milliseconds(500)
    /// The interval of updates.
    private static let interval = Duration.milliseconds(100)

    private let unit: String
    private let isShown = StandardError.isTerminal
    private let start = ContinuousClock.now
    private let last = Mutex<ContinuousClock.Instant?>(nil)
    private let count = Mutex<Int64>(0)

    /// Creates a progress with this unit; empty for work that is not counted.
    init(_ unit: String = "") {
        self.unit = unit
    }

    /// Adds finished items.
    func advance(by more: Int64 = 1, of total: Int64) {
        let done = self.count.withLock { count in
            count += more
            return count
        }
        self.update(done, of: total)
    }

    /// Shows the progress.
    ///
    /// - Parameters:
    ///   - done: The number of finished items.
    ///   - total: The total; nil when it is not known.
    ///   - share: The finished share, where it is known better than from the count.
    func update(_ done: Int64, of total: Int64? = nil, share: Double? = nil) {
        guard self.isShown else { return }
        let now = ContinuousClock.now
        let elapsed = self.start.duration(to: now)
        let isDue = self.last.withLock { last in
            guard elapsed >= Self.delay, last.map({ $0.duration(to: now) >= Self.interval }) ?? true else {
                return false
            }
            last = now
            return true
        }
        guard isDue else { return }
        let line = ProgressLine(done: done, total: total, unit: self.unit, share: share, elapsed: elapsed)
        let columns = WordWrap.error.width ?? 80
        StandardError.write("\r\(line.text(columns: columns - 1))\u{1B}[K")
    }

    /// Clears the line.
    func finish() {
        guard self.last.withLock({ $0 != nil }) else { return }
        StandardError.write("\r\u{1B}[K")
    }

    /// Shows the duration of work whose progress is not known.
    static func during<Value>(_ body: () async throws -> Value) async throws -> Value {
        let progress = WorkProgress()
        let clock = Task {
            while !Task.isCancelled {
                progress.update(0)
                try? await Task.sleep(for: Self.interval)
            }
        }
        defer {
            clock.cancel()
            progress.finish()
        }
        return try await body()
    }
}
