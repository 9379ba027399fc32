package import IntentEvents

/// Identifies a turn, or the decoding of its event: what may have ended a process (R56).
package struct TurnKey: Hashable, Sendable, CustomStringConvertible {
    package var stage: Stage
    package var position: RecordPosition
    /// Whether the event is only being decoded.
    package var isReading: Bool

    package init(_ stage: Stage, _ position: RecordPosition, isReading: Bool = false) {
        self.stage = stage
        self.position = position
        self.isReading = isReading
    }

    /// `handle/confirmed/3/12`, followed by `/reading` if the event is only being decoded.
    package var description: String { "\(self.stage.rawValue)/\(self.position)\(self.isReading ? "/reading" : "")" }

    /// Reads ``description``.
    package init?(_ text: String) {
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isReading = parts.count == 5 && parts[4] == "reading"
        if isReading { parts.removeLast() }
        guard parts.count == 4, let stage = Stage(rawValue: String(parts[0])),
            let position = RecordPosition(parts[1...].joined(separator: "/"))
        else { return nil }
        self.init(stage, position, isReading: isReading)
    }
}
