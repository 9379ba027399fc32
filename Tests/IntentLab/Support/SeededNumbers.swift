internal import IntentRuntime

/// Random numbers derived from a seed: SplitMix64.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a sequence.
    package init(seed: UInt64) { self.state = seed }

    /// Creates a sequence; different streams of one seed are independent.
    package init(seed: UInt64, stream: UInt64) {
        var mixed = seed ^ (stream &* 0xD1B5_4A32_D192_ED03)
        _ = SplitMix64.next(&mixed)
        self.state = SplitMix64.next(&mixed)
    }

    package mutating func next() -> UInt64 { SplitMix64.next(&self.state) }
}

extension SeededNumbers {
    /// True with this probability.
    package mutating func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    /// True or false with equal probability.
    package mutating func coin() -> Bool { self.happens(0.5) }

    /// A number below the bound.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// True once in this many times.
    package mutating func oneIn(_ count: Int) -> Bool { self.below(count) == 0 }

    /// True in this many of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool { self.below(100) < percent }

    /// One of the elements, of which there must be at least one.
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[self.below(elements.count)] }

    /// A time up to the longest; short ones are as likely as ones ten times as long.
    package mutating func duration(upTo longest: Duration) -> Duration {
        let exponent = Double.random(in: -4...0, using: &self)
        var factor = 1.0
        // 10 to the exponent, in steps: the standard library has no power function.
        for _ in 0..<Int(-exponent * 16) { factor *= 0.865_964_323_360_065_4 }
        return .microseconds(Int64(Double(longest.milliseconds) * 1_000 * factor))
    }
}
