internal import LibCrypto
package import IntentEvents

/// Makes the ids of a turn: the same turn makes the same ids, always (R7).
package struct TurnIdentifiers: Hashable, Sendable {
    /// The deployment's random id.
    package var deployment: String
    /// Whose turn it is.
    package var stage: Stage
    /// The event that is processed.
    package var position: RecordPosition

    /// Describes a turn.
    package init(deployment: String, stage: Stage, position: RecordPosition) {
        self.deployment = deployment
        self.stage = stage
        self.position = position
    }

    /// The id of the turn's output of that ordinal.
    package func id(generation: Int, ordinal: String) -> String {
        let text =
            "\(self.deployment)|\(self.stage.rawValue)|\(self.position.topic.rawValue)|\(self.position.partition)"
            + "|\(self.position.offset)|\(generation)|\(ordinal)"
        return Hex.text(SHA256.hash(text).prefix(16))
    }

    /// The seed of the turn's random numbers.
    package func seed(attempt: Int) -> UInt64 {
        let text = self.id(generation: attempt, ordinal: "random")
        return UInt64(text.prefix(16), radix: 16)!
    }
}

/// Lower-case hexadecimal text.
package enum Hex {
    /// Writes bytes.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = StaticString("0123456789abcdef")
        var text: [UInt8] = []
        text.reserveCapacity(2 * SHA256.byteCount)
        for byte in bytes {
            text.append(digits.utf8Start[Int(byte >> 4)])
            text.append(digits.utf8Start[Int(byte & 0x0F)])
        }
        return String(decoding: text, as: UTF8.self)
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
