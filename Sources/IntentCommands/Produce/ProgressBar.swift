/// How far a command has got, on a terminal; nothing elsewhere.
struct ProgressBar {
    private let isShown: Bool
    private let total: Int?
    private var last: ContinuousClock.Instant?

    /// Shows progress towards a total of bytes, if it is known and a person looks at standard error.
    init(total: Int?, isShown: Bool = StandardError.isTerminal) {
        self.total = total
        self.isShown = isShown
    }

    /// Shows how far it is, at most ten times a second.
    mutating func update(bytes: Int, events: Int, now: ContinuousClock.Instant = .now) {
        guard self.isShown, self.last.map({ $0.duration(to: now) > .milliseconds(100) }) ?? true else { return }
        self.last = now
        StandardError.write("\r\(Self.line(bytes: bytes, total: self.total, events: events))\u{1B}[K")
    }

    /// Clears the line.
    func finish() {
        if self.isShown { StandardError.write("\r\u{1B}[K") }
    }

    /// The line that is shown.
    static func line(bytes: Int, total: Int?, events: Int) -> String {
        guard let total, total > 0 else { return "\(events) events" }
        let share = min(1, Double(bytes) / Double(total))
        let filled = Int(share * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 30 - filled)
        return "[\(bar)] \(Int(share * 100)) %  \(events) events"
    }
}
