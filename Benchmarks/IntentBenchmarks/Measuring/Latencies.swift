/// The times from when a request was due to when its answer was read.
struct Latencies: Sendable {
    private var milliseconds: [Double] = []
    private var isSorted = true

    /// The number of times.
    var count: Int { self.milliseconds.count }

    /// Adds a time.
    mutating func add(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.milliseconds.append(Double(seconds) * 1_000 + Double(attoseconds) / 1e15)
        self.isSorted = false
    }

    /// The percentile in milliseconds: the smallest time that this share of all times does not exceed.
    mutating func percentile(_ part: Double) -> Double {
        if !self.isSorted {
            self.milliseconds.sort()
            self.isSorted = true
        }
        guard !self.milliseconds.isEmpty else { return .nan }
        let index = Int((part * Double(self.milliseconds.count)).rounded(.up)) - 1
        return self.milliseconds[max(0, min(index, self.milliseconds.count - 1))]
    }
}
