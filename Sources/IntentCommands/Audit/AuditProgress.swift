import Foundation
import Synchronization

/// How far an audit has got, on a terminal; nothing elsewhere.
final class AuditProgress: Sendable {
    private let unit: String
    private let isShown: Bool
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Counts in these.
    init(_ unit: String, isShown: Bool = StandardError.isTerminal) {
        self.unit = unit
        self.isShown = isShown
    }

    /// Shows how far it is, at most ten times a second.
    func update(_ done: Int64, of total: Int64) {
        guard self.isShown, total > 0 else { return }
        let isDue = self.last.withLock { last in
            if let last, last.duration(to: .now) < .milliseconds(100) { return false }
            last = .now
            return true
        }
        guard isDue else { return }
        StandardError.write("\r\(min(100, done * 100 / total)) %  \(done) of \(total) \(self.unit)\u{1B}[K")
    }

    /// Clears the line.
    func finish() { if self.isShown { StandardError.write("\r\u{1B}[K") } }
}
