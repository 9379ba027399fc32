package import IntentAudit
package import IntentEvents
package import IntentKit
package import IntentRecords
package import IntentRuntime

extension Masking {
    /// An answer's data, masked as a value of the parameter that its prompt asked for.
    ///
    /// An answer names only its prompt.
    package func masked(answer data: JSONValue, of intent: String, parameter: String?) -> JSONValue {
        guard var members = data.object else { return self.masked(data) }
        let own = members["parameter"]
        members["intent"] = .string(intent)
        members["parameter"] = parameter.map(JSONValue.string)
        members = self.masked(.object(members)).object ?? [:]
        members["intent"] = nil
        members["parameter"] = own
        return .object(members)
    }

    package func masked(eventData data: JSONValue, of turn: TurnAccount) -> JSONValue {
        guard turn.record.eventType == EventType.promptAnswered.rawValue, data["intent"] == nil,
            let intent = turn.record.intentName
        else { return self.masked(data) }
        return self.masked(answer: data, of: intent, parameter: turn.promptParameter)
    }

    /// A turn with everything that it read and wrote: each event in it is masked according to its type.
    package func masked(_ turn: TurnAccount) -> JSONValue {
        var members = self.masked(turn.json).object ?? [:]
        members["data"] = turn.event?.json.map { self.masked(eventData: $0, of: turn) }
        let outputs = turn.json["outputs"]?.array ?? []
        members["outputs"] = .array(
            outputs.map { output in
                var members = output.object ?? [:]
                members["data"] = members["data"].map(self.masked)
                return .object(members)
            }
        )
        return .object(members)
    }

    package func masked(_ state: StateThen, at turn: TurnAccount) -> JSONValue {
        self.masked([
            "turn": .integer(Int64(turn.number)), "journal": .string(turn.journal.description),
            "read": .object(Dictionary(state.found.map { ($0.key.text, $0.value) }) { first, _ in first }),
            "before": state.interactionBefore ?? .null,
            "after": state.interactionAfter ?? .null, "known": .string(state.source.description),
        ])
    }

    /// An interaction for programs, with its times where they are known (R80).
    package func masked(_ interaction: RecordedInteraction, _ times: InteractionTimes? = nil) -> JSONValue {
        var members = self.masked(only: interaction).object ?? [:]
        for (name, value) in times?.json ?? [:] { members[name] = value }
        return .object(members)
    }

    private func masked(only interaction: RecordedInteraction) -> JSONValue {
        .members([
            "interaction": interaction.interactionID?.json,
            "request": interaction.request.json,
            "user": interaction.userID?.json,
            "intent": interaction.intent.map(JSONValue.string),
            "status": interaction.status.map(JSONValue.string),
            "code": interaction.code.map(JSONValue.string),
            "endReason": interaction.endReason.map(JSONValue.string),
            "phase": interaction.phase.map(JSONValue.string),
            "requestedAt": interaction.requestedAt.map { .string($0.description) },
            "firstPromptAt": interaction.firstPromptAt.map { .string($0.description) },
            "endedAt": interaction.endedAt.map { .string($0.description) },
            "milliseconds": interaction.duration.map(JSONValue.integer),
            "state": interaction.endedAt == nil ? nil : .string(InteractionState.ended.rawValue),
            "turns": .integer(Int64(interaction.turns)),
            "prompts": .integer(Int64(interaction.prompts)),
            "terminalResponses": .integer(Int64(interaction.terminalResponses)),
            "parameters": interaction.parameters.map { self.masked(parameters: $0, of: interaction.intent) },
        ])
    }

    /// Whether a search for a text finds an interaction.
    ///
    /// It must not find masked values: otherwise they could be guessed letter by letter.
    package func finds(_ text: String, in interaction: RecordedInteraction) -> Bool {
        let shown = self.masked(parameters: interaction.parameters ?? .null, of: interaction.intent)
        let words = [
            interaction.interactionID?.text, interaction.userID?.text, interaction.intent, interaction.code,
            interaction.endReason, shown.description,
        ]
        return words.contains { $0?.lowercased().contains(text.lowercased()) ?? false }
    }

    package func masked(_ value: JSONValue, ofColumn column: String) -> JSONValue {
        guard !self.isEmpty else { return value }
        if value.object != nil || value.array != nil { return self.masked(value) }
        // Free text may repeat a value.
        let isFree = ["detail", "exception_message", "title", "value"].contains(column)
        return isFree && value.string != nil ? .string(Self.mask) : value
    }

    /// Whether a record is the deployment's own secret: it is never shown.
    package static func isSecret(_ record: LogRecord, on topic: Topic?) -> Bool {
        guard topic == .state, let key = record.key.flatMap({ StateKey($0) }) else { return false }
        return key.stage == nil && key.name.hasPrefix(RedriveKey.entryName + "/")
    }
}

extension StateThen.Source {
    /// How it is known, for people.
    package var description: String {
        switch self {
        case .turn(let position): "as turn \(position) found it, with the digest that this turn wrote"
        case .event(let position): "from \(position), which forwards it"
        case .ended: "the interaction has ended: no state is kept"
        case .unknown: "unchanged, or not read again since"
        }
    }
}
