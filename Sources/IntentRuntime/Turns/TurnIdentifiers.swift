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
}
