package import IntentEvents
internal import IntentKit
internal import LibCrypto

/// Makes the ids of a turn: the same turn always makes the same ids (R7).
package struct TurnIdentifiers: Hashable, Sendable {
    /// The deployment's random id.
    package var deployment: String
    package var stage: Stage
    /// The event that is processed.
    package var position: RecordPosition

    package init(deployment: String, stage: Stage, position: RecordPosition) {
        self.deployment = deployment
        self.stage = stage
        self.position = position
    }

    /// The id of an output of the turn, by its ordinal.
    package func id(generation: Int, ordinal: String) -> String {
        self.digest(generation: generation, ordinal: ordinal).hex(Self.byteCount)
    }

    /// Appends the id of an output of the turn, by its ordinal.
    func write(generation: Int, ordinal: String, to text: inout [UInt8]) {
        self.digest(generation: generation, ordinal: ordinal).writeHex(Self.byteCount, to: &text)
    }

    /// The number of bytes of the digest in an id.
    private static let byteCount = 16

    /// SHA-256 of `deployment|stage|topic|partition|offset|generation|ordinal`.
    private func digest(generation: Int, ordinal: String) -> SHA256Digest {
        let position = self.position
        let count = self.deployment.utf8.count + ordinal.utf8.count + 128
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            // One call for each text: a closure over the end would put it on the heap, and check each access.
            var end = Self.write(self.deployment, to: buffer, at: 0)
            end = Self.write(self.stage.rawValue, to: buffer, at: end)
            end = Self.write(position.topic.rawValue, to: buffer, at: end)
            end = Self.write(String(position.partition), to: buffer, at: end)
            end = Self.write(String(position.offset), to: buffer, at: end)
            end = Self.write(String(generation), to: buffer, at: end)
            end = Self.write(ordinal, to: buffer, at: end)
            return SHA256.digest(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(end - 1)]))
        }
    }

    /// Writes a text and a separator, and returns the position behind them.
    private static func write(_ text: String, to buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        TextBytes.withBytes(of: text) { bytes in
            let end = buffer[start...].update(fromContentsOf: bytes)
            buffer[end] = UInt8(ascii: "|")
            return end + 1
        }
    }

    /// The seed of the turn's random numbers.
    package func seed(attempt: Int) -> UInt64 { self.digest(generation: attempt, ordinal: "random").firstBits }
}

/// Lower-case hexadecimal text.
package enum Hex {
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        let digits = StaticString("0123456789abcdef")
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            var end = 0
            for byte in bytes {
                text[end] = digits.utf8Start[Int(byte >> 4)]
                text[end + 1] = digits.utf8Start[Int(byte & 0x0F)]
                end += 2
            }
            return end
        }
    }

    /// Reads pairs of digits; nil for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
