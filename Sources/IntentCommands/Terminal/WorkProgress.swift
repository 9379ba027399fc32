import Foundation
import Synchronization

/// Shows on a terminal how far work has got; nothing elsewhere, and nothing of work that is done in a moment.
final class WorkProgress: Sendable {
    /// What takes no longer shows nothing.
    private static let patience = Duration.milliseconds(500)
    /// How often it is shown anew.
    private static let interval = Duration.milliseconds(100)

    private let unit: String
    private let isShown: Bool
    private let start = ContinuousClock.now
    private let last = Mutex<ContinuousClock.Instant?>(nil)
    private let count = Mutex<Int64>(0)

    /// Counts in these; empty for what is not counted.
    init(_ unit: String = "", isShown: Bool = StandardError.isTerminal) {
        self.unit = unit
        self.isShown = isShown
    }

    /// Shows that more is done.
    func advance(by more: Int64 = 1, of total: Int64) {
        let done = self.count.withLock { count in
            count += more
            return count
        }
        self.update(done, of: total)
    }

    /// Shows how far it is.
    ///
    /// - Parameters:
    ///   - done: How many are done.
    ///   - total: How many there are; nil where nobody knows.
    ///   - share: The part that is done, where it is known better than by the count.
    func update(_ done: Int64, of total: Int64? = nil, share: Double? = nil) {
        guard self.isShown else { return }
        let now = ContinuousClock.now
        let elapsed = self.start.duration(to: now)
        let isDue = self.last.withLock { last in
            guard elapsed >= Self.patience, last.map({ $0.duration(to: now) >= Self.interval }) ?? true else {
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

    /// Shows how long work takes of which nobody says how far it is.
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
