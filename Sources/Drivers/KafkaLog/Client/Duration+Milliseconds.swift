extension Duration {
    /// Whole milliseconds for librdkafka: at least 0, and 1 for anything between 0 and 1.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = self.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return Int32(seconds) * 1_000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

extension ContinuousClock.Instant {
    /// The time until this instant; never negative.
    var remaining: Duration { max(ContinuousClock.now.duration(to: self), .zero) }
}
