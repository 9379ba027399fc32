/// Keeps to a number of events a second.
struct Pacer {
    private let rate: Double?
    private let start = ContinuousClock.now
    private var sent = 0

    /// Keeps to this rate; nil goes as fast as it can.
    init(rate: Double?) {
        self.rate = rate
    }

    /// How many events may go at once: about a twentieth of a second's.
    var batch: Int { self.rate.map { max(1, Int($0 / 20)) } ?? .max }

    /// Counts events that went, and says how long to wait before the next ones.
    mutating func count(_ events: Int, now: ContinuousClock.Instant = .now) -> Duration {
        self.sent += events
        guard let rate else { return .zero }
        let due = self.start + .seconds(Double(self.sent) / rate)
        return max(.zero, now.duration(to: due))
    }
}
