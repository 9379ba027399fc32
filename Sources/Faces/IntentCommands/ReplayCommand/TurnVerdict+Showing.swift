import IntentAudit
import IntentEvents
import IntentKit
import IntentOperations

extension TextStyle {
    /// The outcome of a turn that was run again.
    func verdict(_ outcome: TurnVerdict.Outcome) -> Table.Style {
        switch outcome {
        case .matched: self.good
        case .incomparable: self.open
        case .diverged, .missing, .error: self.bad
        }
    }
}

extension TurnVerdict {
    /// The verdict for people: what happened where, the first difference, and advice.
    func lines(_ masking: Masking) -> [String] {
        let positions = [self.journal, self.event].compactMap(\.self).map(\.description).joined(separator: " of ")
        let about = [self.stage?.rawValue, self.userID?.text, self.interactionID?.text].compactMap(\.self)
            .joined(separator: "  ")
        var lines = ["\(self.outcome.rawValue)  \(positions)  \(about)"]
        if let difference = self.difference {
            lines.append("    at    \(difference.path)")
            lines.append("    then  \(Self.text(difference.then, at: difference.path, masking))")
            lines.append("    now   \(Self.text(difference.now, at: difference.path, masking))")
        }
        if !self.advice.isEmpty { lines.append("    \(self.advice)") }
        return lines
    }

    /// The verdict for programs.
    func json(_ masking: Masking) -> JSONValue {
        guard let difference = self.difference else { return self.json }
        var verdict = self
        verdict.difference?.then = difference.then.map { masking.masked($0, at: difference.path) }
        verdict.difference?.now = difference.now.map { masking.masked($0, at: difference.path) }
        return verdict.json
    }

    private static func text(_ value: JSONValue?, at path: String, _ masking: Masking) -> String {
        guard let value else { return "nothing" }
        let text = masking.masked(value, at: path).description
        return text.count > 400 ? text.prefix(400) + "…" : text
    }
}
