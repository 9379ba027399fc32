/// Keeps to a rate of events per second.
struct Pacer {
    private let rate: Double?
    private let start = ContinuousClock.now
    private var sent = 0

    /// Creates a pacer with this rate; nil is unlimited.
    init(rate: Double?) {
        self.rate = rate
    }

    /// The number of events that may be sent at once: about a twentieth of a second's.
    var batch: Int { self.rate.map { max(1, Int($0 / 20)) } ?? .max }

    /// Counts events that were sent, and returns the delay before the next ones.
    mutating func count(_ events: Int) -> Duration {
        self.sent += events
        guard let rate else { return .zero }
        let due = self.start + .seconds(Double(self.sent) / rate)
        return max(.zero, ContinuousClock.now.duration(to: due))
    }
}
