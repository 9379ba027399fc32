package import IntentEvents
package import IntentKit
internal import IntentRecords
internal import IntentRuntime

/// What a stage knew at one turn of an interaction: the state as the turn found it, and as it left it (R46).
package struct StateThen: Sendable {
    /// How it is known what the turn left.
    package enum Source: Sendable {
        /// A later turn found it, and it has the digest that this turn's record names.
        case turn(RecordPosition)
        /// The event that passes the interaction on contains it.
        case event(RecordPosition)
        /// The interaction has ended here: nothing is kept of it.
        case ended
        /// No later turn has read it.
        case unknown
    }

    /// The entries that the turn read, as they were then; null for one that did not exist.
    package var found: SortedMap<StateName, JSONValue>
    /// The interaction as the turn found it: kept here, or in its event; nil before it began.
    package var interactionBefore: JSONValue?
    /// The interaction as the turn left it.
    package var interactionAfter: JSONValue?
    /// How that is known.
    package var source: Source

    /// Reconstructs the state at a turn of a story.
    package init(at turn: TurnAccount, in turns: [TurnAccount]) {
        let name = turn.record.request.map { StateName.interaction($0) }
        let found = SortedMap(turn.record.before.map { (key: $0.key, value: Self.value($0.value)) })
        self.found = found
        self.interactionBefore = name.flatMap { found[$0] }.flatMap { $0.isNull ? nil : $0 }
        if self.interactionBefore == nil { self.interactionBefore = turn.event?.json?["interaction"] }
        self.source = .unknown
        guard let name, let written = turn.outputs.last(where: { $0.journaled.stateName == name }) else {
            self.interactionAfter = self.interactionBefore
            return
        }
        if written.journaled.digest.isEmpty {
            self.source = turn.record.outcome == .ended ? .ended : .unknown
            for output in turn.outputs {
                guard let event = output.event, let interaction = event.json?["interaction"],
                    [.resolved, .confirmed, .signals].contains(event.position.topic)
                else { continue }
                self.interactionAfter = interaction
                self.source = .event(event.position)
            }
            return
        }
        for later in turns where later.number > turn.number && later.record.stage == turn.record.stage {
            guard let text = later.record.before[name], RecordDigest.of(text) == written.journaled.digest else {
                continue
            }
            self.interactionAfter = Self.value(text)
            self.source = .turn(later.journal)
            return
        }
    }

    private static func value(_ text: [UInt8]) -> JSONValue { (try? JSONValue(parsing: text)) ?? .null }
}
