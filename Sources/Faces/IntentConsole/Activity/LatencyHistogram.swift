internal import IntentRecords

/// A histogram of durations: four buckets for each doubling, from 1 ms to over a day.
struct LatencyHistogram: Hashable, Sendable {
    private static let size = 112

    private var counts: [UInt32] = []
    private(set) var total = 0

    /// Counts one duration.
    mutating func add(_ milliseconds: Int64) {
        if self.counts.isEmpty { self.counts = Array(repeating: 0, count: Self.size) }
        self.counts[Self.index(milliseconds)] &+= 1
        self.total += 1
    }

    mutating func add(_ other: Self) {
        guard other.total > 0 else { return }
        if self.counts.isEmpty { self.counts = Array(repeating: 0, count: Self.size) }
        for index in other.counts.indices { self.counts[index] &+= other.counts[index] }
        self.total += other.total
    }

    /// The milliseconds below which a share of the durations stayed; nil without any.
    func quantile(_ share: Double) -> Double? {
        guard self.total > 0 else { return nil }
        var left = Int((Double(self.total) * share).rounded(.up))
        for (index, count) in self.counts.enumerated() {
            left -= Int(count)
            if left <= 0 { return Self.bound(index) }
        }
        return Self.bound(Self.size - 1)
    }

    /// The bucket of a duration: the first whose bound it does not exceed.
    private static func index(_ milliseconds: Int64) -> Int {
        var index = 0
        while index < Self.size - 1, Double(milliseconds) > Self.bounds[index] { index += 1 }
        return index
    }

    private static func bound(_ index: Int) -> Double { Self.bounds[index] }

    private static let bounds: [Double] = {
        // Powers of 2^(1/4).
        var bounds: [Double] = []
        var bound = 1.0
        for _ in 0..<Self.size {
            bounds.append(bound)
            bound *= 1.189_207_115_002_721
        }
        return bounds
    }()
}
