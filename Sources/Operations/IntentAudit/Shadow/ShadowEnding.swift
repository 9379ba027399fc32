internal import IntentEvents
internal import IntentKit

/// How an interaction ends, or how far it has got, for the report's changes (R44).
struct ShadowEnding: Hashable, Sendable {
    /// The prompts in order, `needsValue:time`.
    var prompts: [String] = []
    /// Whether there is a terminal response.
    var isOver = false
    /// The terminal response's code.
    var code: String?
    var endReason: String?
    /// The effects that it called, in order.
    var effects: [String] = []
    var parameters: JSONObject = [:]
    /// What it asks for and the recording does not contain: a prompt's answer, or a read.
    var lacks: [String] = []

    mutating func record(_ type: EventType?, _ data: JSONValue) {
        switch type {
        case .promptIssued:
            let kind = data["kind"]?.string ?? "?"
            self.prompts.append(data["parameter"]?.string.map { "\(kind):\($0)" } ?? kind)
        case .intentResponded where data["terminal"] == true && !self.isOver:
            self.isOver = true
            self.code = data["code"]?.string
            self.endReason = data["endReason"]?.string
            self.effects = (data["effects"]?.array ?? []).compactMap(\.string)
            self.parameters = data["intent"]?["parameters"]?.object ?? [:]
        default: break
        }
    }

    /// Both in words: how they end, and beside that only what distinguishes them.
    static func descriptions(_ then: ShadowEnding, _ now: ShadowEnding) -> (then: String, now: String) {
        var before = then.end
        var after = now.end
        if then.prompts != now.prompts {
            before += Self.list(" after ", then.prompts)
            after += Self.list(" after ", now.prompts)
        }
        if then.effects != now.effects {
            before += Self.list(" with ", then.effects)
            after += Self.list(" with ", now.effects)
        }
        let names = Set(then.parameters.keys).union(now.parameters.keys)
            .filter { then.parameters[$0] != now.parameters[$0] }
        if then.isOver, now.isOver, !names.isEmpty {
            after += " with different \(names.sorted().joined(separator: ", "))"
        }
        return (before, after)
    }

    private var end: String {
        guard self.isOver else { return "open" + (self.prompts.last.map { " at \($0)" } ?? "") }
        return [self.code, self.endReason].compactMap(\.self).joined(separator: " ")
    }

    private static func list(_ word: String, _ names: [String]) -> String {
        word + (names.isEmpty ? "nothing" : names.joined(separator: ", "))
    }
}
