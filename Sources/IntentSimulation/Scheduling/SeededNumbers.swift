internal import IntentRuntime

/// Random numbers that follow from a seed: SplitMix64.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    /// Begins a sequence; different streams of one seed are independent.
    init(seed: UInt64, stream: UInt64) {
        var mixed = seed ^ (stream &* 0xD1B5_4A32_D192_ED03)
        _ = SplitMix64.next(&mixed)
        self.state = SplitMix64.next(&mixed)
    }

    mutating func next() -> UInt64 { SplitMix64.next(&self.state) }

    /// Whether something of that probability happens.
    mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    /// One of these.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// A time up to the longest, short ones as likely as long ones of ten times the length.
    mutating func duration(upTo longest: Duration) -> Duration {
        let exponent = Double.random(in: -4...0, using: &self)
        var factor = 1.0
        // 10 to the exponent, in steps: the standard library has no power function.
        for _ in 0..<Int(-exponent * 16) { factor *= 0.865_964_323_360_065_4 }
        return .microseconds(Int64(Double(longest.milliseconds) * 1_000 * factor))
    }
}

extension SeededNumbers {
    /// One of two.
    mutating func coin() -> Bool { self.happens(0.5) }
}
