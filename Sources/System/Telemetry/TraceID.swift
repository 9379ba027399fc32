/// The id of a trace: 16 bytes, not all of them zero.
package struct TraceID: Hashable, Sendable {
    /// The first 8 bytes, the first one highest.
    package let high: UInt64
    /// The other 8 bytes.
    package let low: UInt64

    /// Makes an id of its two halves; nil for zero, which stands for no trace.
    package init?(high: UInt64, low: UInt64) {
        guard high | low != 0 else { return nil }
        self.high = high
        self.low = low
    }

    /// The 32 hexadecimal digits.
    package var text: String { HexDigits.text(self.high) + HexDigits.text(self.low) }
}
