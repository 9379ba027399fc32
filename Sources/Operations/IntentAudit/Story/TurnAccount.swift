package import IntentEvents
package import IntentKit
package import IntentRecords
internal import IntentRuntime

/// One turn of an interaction's story: what it found, what it was answered, what it decided, and what it wrote (R46).
package struct TurnAccount: Sendable {
    /// Something that the turn wrote.
    package struct Output: Sendable {
        /// The journal's entry for it.
        package var journaled: TurnRecord.Output
        /// The event itself; nil for state, and for an event that is not recorded.
        package var event: RecordedEvent?
    }

    /// Its number in the story, from 1.
    package var number: Int
    /// The position of its record on `journal`.
    package var journal: RecordPosition
    /// When it was written, with the commit of its batch.
    package var writtenAt: Timestamp
    package var record: TurnRecord
    /// The event that was processed, if it is recorded.
    package var event: RecordedEvent?
    /// Whether that event has the bytes that the turn processed; nil when it is not recorded.
    package var isEventSound: Bool?
    /// What it wrote, in order.
    package var outputs: [Output]

    /// The parameter that the previous prompt asked for, which an answer does not name; nil when none was open.
    package var promptParameter: String? { ShadowCase.prompt(before: self.record)?.parameter }

    /// The turns of a story, in order.
    package static func all(of story: InteractionStory) -> [TurnAccount] {
        var byPosition: [RecordPosition: RecordedEvent] = [:]
        var byDigest: [String: RecordedEvent] = [:]
        for event in story.events {
            byPosition[event.position] = event
            byDigest[Self.digest(of: event)] = event
        }
        return story.turns.enumerated()
            .map { index, turn in
                let event = byPosition[turn.record.position]
                return TurnAccount(
                    number: index + 1,
                    journal: turn.position,
                    writtenAt: turn.timestamp,
                    record: turn.record,
                    event: event,
                    isEventSound: event.map { Self.digest(of: $0) == turn.record.eventDigest },
                    outputs: turn.record.outputs.map { Output(journaled: $0, event: byDigest[$0.digest]) }
                )
            }
    }

    private static func digest(of event: RecordedEvent) -> String {
        RecordDigest.of(RecordContent(key: event.key, value: event.value, headers: event.headers))
    }

    /// The turn for `--json`.
    package var json: JSONValue {
        .members([
            "number": .integer(Int64(self.number)),
            "journal": .string(self.journal.description),
            "event": .string(self.record.position.description),
            "eventType": .string(self.record.eventType),
            "eventSound": self.isEventSound.map(JSONValue.bool),
            "data": self.event?.json,
            "stage": .string(self.record.stage.rawValue),
            "at": .string(self.record.at.description),
            "attempt": .integer(Int64(self.record.attempt)),
            "worker": .string(self.record.worker),
            "handler": self.record.handlerName.map(JSONValue.string),
            "handlerVersion": self.record.handlerVersion.map(JSONValue.string),
            "reads": .array(self.record.reads.map(\.json)),
            "outcome": .string(self.record.outcome.rawValue),
            "outputs": .array(
                self.outputs.map {
                    .members([
                        "target": .string($0.journaled.target), "digest": .string($0.journaled.digest),
                        "position": ($0.event?.position.description).map(JSONValue.string),
                        "type": ($0.event?.type).map(JSONValue.string), "data": $0.event?.json,
                    ])
                }
            ),
            "previous": .string(self.record.previousDigest),
            "warnings": self.record.mistakes.isEmpty ? nil : JSONValue.array(self.record.mistakes.map(\.journaled)),
        ])
    }
}
