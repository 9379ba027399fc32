/// Random numbers that a seed decides.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed &* 0xD134_2543_DE82_EF95 | 1
    }

    /// Xorshift64*.
    mutating func next() -> UInt64 {
        self.state ^= self.state >> 12
        self.state ^= self.state << 25
        self.state ^= self.state >> 27
        return self.state &* 0x2545_F491_4F6C_DD1D
    }

    /// True in so many of a hundred cases.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// One of them.
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &self)! }
}
