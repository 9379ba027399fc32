internal import IntentEvents

/// A trace of a seed, line by line; nothing is kept unless the seed is examined.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class Trace: @unchecked Sendable {
    private let scheduler: Scheduler
    private let isKept: Bool
    /// The lines so far.
    private(set) var lines: [String] = []

    /// Creates a trace.
    init(_ scheduler: Scheduler, isKept: Bool) {
        self.scheduler = scheduler
        self.isKept = isKept
    }

    /// Adds a line with the name of the current step's process.
    func record(_ text: @autoclosure () -> String) {
        guard self.isKept else { return }
        let time = self.scheduler.now / 100
        let seconds = "\(time / 10_000)." + String(10_000 + time % 10_000).dropFirst()
        self.lines.append("\(seconds) s  \(self.scheduler.process.description)  \(text())")
    }
}
