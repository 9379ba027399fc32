import IntentAudit
import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords
import IntentRuntime

/// An interaction's story for people.
struct StoryText {
    private let masking: Masking

    init(_ masking: Masking) { self.masking = masking }

    /// The first line.
    func heading(_ interaction: RecordedInteraction) -> String {
        let end = [interaction.status, interaction.code, interaction.endReason].compactMap(\.self)
        let id = interaction.interactionID?.text ?? interaction.request.text
        let position = interaction.position
        return "\(id)  user \(interaction.userID ?? "?")  \(interaction.intent ?? "?")  request \(position)  "
            + (interaction.endedAt == nil ? "open" : end.joined(separator: " "))
    }

    func lines(_ turn: TurnAccount, _ state: StateThen) -> [String] {
        let record = turn.record
        var head = ["#\(turn.number)", Self.time(record.at), record.stage.rawValue, record.outcome.rawValue]
        if let handler = record.handlerName { head.append("by \(handler) \(record.handlerVersion ?? "")") }
        head += ["worker \(record.worker)", turn.journal.description]
        if record.attempt > 1 { head.append("try \(record.attempt)") }
        var lines = ["", head.joined(separator: "  ")]
        let unsound = turn.isEventSound == false ? "  (its bytes are NOT those that the turn processed)" : ""
        lines.append("    event   \(record.position)  \(record.eventType)  \(self.text(of: turn))\(unsound)")
        for read in record.reads { lines.append("    \(Self.verb(read.kind))\(read.name) = \(self.result(read))") }
        for output in turn.outputs {
            if let event = output.event {
                lines.append("    wrote   \(event.position)  \(event.type ?? "-")  \(self.text(event))")
            } else {
                let name = output.journaled.target.replacing("state:", with: "state ")
                let digest = output.journaled.digest
                lines.append("    wrote   \(name)  \(digest.isEmpty ? "removed" : "sha256 \(digest.prefix(16))…")")
            }
        }
        if state.interactionAfter != nil { lines += self.changes(state, indent: "    changed ") }
        return lines
    }

    /// What a turn has changed of its interaction's state.
    private func changes(_ state: StateThen, indent: String) -> [String] {
        StateWords.changes(state, self.masking)
            .map { change in
                let (before, after) = (change.before.map(Self.shortened), change.after.map(Self.shortened))
                let values = before.map { "\($0) -> \(after ?? "removed")" } ?? after ?? "removed"
                return SafeText.line("\(indent)\(change.path.joined(separator: ".")): \(values)")
            }
    }

    private static func shortened(_ value: JSONValue) -> String {
        let text = value.description
        return text.count > 200 ? text.prefix(200) + "…" : text
    }

    func lines(_ state: StateThen, at turn: TurnAccount) -> [String] {
        let record = turn.record
        var lines = ["turn #\(turn.number)  \(record.stage)  \(Self.time(record.at))  \(turn.journal)", "", "read:"]
        for (name, value) in state.found.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(name): \(value.isNull ? "missing" : self.masking.masked(value).description)")
        }
        if state.found.isEmpty { lines.append("  nothing") }
        lines += ["", "changed by the turn:"] + self.changes(state, indent: "  ")
        lines += ["", "the interaction before the turn:"] + self.tree(state.interactionBefore)
        lines += ["", "after the turn (\(state.source.description)):"] + self.tree(state.interactionAfter)
        return lines
    }

    private func text(of turn: TurnAccount) -> String {
        guard let event = turn.event else { return "(not recorded)" }
        guard var content = event.event else { return "" }
        content.data = self.masking.masked(eventData: content.data, of: turn)
        return EventSummary.text(content)
    }

    private func text(_ event: RecordedEvent?) -> String {
        guard let event else { return "(not recorded)" }
        guard var content = event.event else { return "" }
        content.data = self.masking.masked(content.data)
        return EventSummary.text(content)
    }

    private func result(_ read: JournalRead) -> String {
        switch read.result {
        case .value(let value):
            let text = self.masking.masked(value).description
            return text.count > 400 ? text.prefix(400) + "…" : text
        case .failure(let error): return "error: \(error.message)\(error.isTransient ? " (transient)" : "")"
        }
    }

    private func tree(_ value: JSONValue?) -> [String] {
        guard let value, !value.isNull else { return ["  nothing"] }
        return Self.tree(StateWords.readable(self.masking.masked(value)), indent: "  ")
    }

    private static func tree(_ value: JSONValue, indent: String) -> [String] {
        (value.object ?? [:]).sorted { $0.key < $1.key }
            .flatMap { name, member in
                guard member.object?.isEmpty == false else {
                    return ["\(indent)\(name): \(EventSummary.value(member))"]
                }
                return ["\(indent)\(name):"] + Self.tree(member, indent: indent + "  ")
            }
    }

    private static func verb(_ kind: JournalRead.Kind) -> String {
        switch kind {
        case .effect: "effect  "
        case .ledger: "ledger  "
        case .undo: "undo    "
        default: "read    "
        }
    }

    private static func time(_ time: Timestamp) -> String { String(time.description.dropFirst(11).prefix(12)) }
}
