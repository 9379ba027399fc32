package import IntentKit

extension TurnRecord {
    /// The data of `turn.journaled`.
    package var json: JSONValue {
        .members([
            "stage": .string(self.stage.rawValue),
            "position": .string(self.position.description),
            "generation": .integer(Int64(self.generation)),
            "event": ["id": .string(self.eventID), "type": .string(self.eventType)],
            "user": ["id": .string(self.userID)],
            "interaction": self.interactionID.map(JSONValue.string),
            "request": self.request.map(JSONValue.string),
            "intent": self.intentName.map(JSONValue.string),
            "opened": self.opened ? true : nil,
            "at": .string(self.at.description),
            "firstTriedAt": self.firstTriedAt.map { .string($0.description) },
            "until": self.until.map { .string($0.description) },
            "attempt": .integer(Int64(self.attempt)),
            "worker": .string(self.worker),
            "handler": self.handlerName.map { ["name": .string($0), "version": .string(self.handlerVersion ?? "")] },
            "outcome": .string(self.outcome.rawValue),
            "before": .object(self.before),
            "reads": self.reads.isEmpty ? nil : .array(self.reads.map(\.json)),
            "outputs": .array(
                self.outputs.map {
                    .members([
                        "target": .string($0.target), "id": $0.id.map(JSONValue.string),
                        "type": $0.type.map(JSONValue.string), "digest": .string($0.digest),
                    ])
                }
            ),
            "previous": .string(self.previousDigest),
        ])
    }

    /// Reads the data of `turn.journaled`; nil when a member is missing or of another type.
    package init?(json: JSONValue) {
        guard let stage = json["stage"]?.string.flatMap(Stage.init(rawValue:)),
            let position = json["position"]?.string.flatMap(RecordPosition.init),
            let generation = json["generation"]?.integer,
            let eventID = json["event"]?["id"]?.string,
            let eventType = json["event"]?["type"]?.string,
            let userID = json["user"]?["id"]?.string,
            let at = json["at"]?.string.flatMap(Timestamp.init),
            let attempt = json["attempt"]?.integer,
            let worker = json["worker"]?.string,
            let outcome = json["outcome"]?.string.flatMap(TurnOutcome.init(rawValue:)),
            let outputs = json["outputs"]?.array
        else { return nil }
        self.init(
            stage: stage,
            position: position,
            generation: Int(generation),
            eventID: eventID,
            eventType: eventType,
            userID: userID,
            at: at,
            attempt: Int(attempt),
            worker: worker,
            outcome: outcome
        )
        self.firstTriedAt = json["firstTriedAt"]?.string.flatMap(Timestamp.init)
        self.until = json["until"]?.string.flatMap(Timestamp.init)
        self.interactionID = json["interaction"]?.string
        self.request = json["request"]?.string
        self.intentName = json["intent"]?.string
        self.opened = json["opened"]?.bool ?? false
        self.handlerName = json["handler"]?["name"]?.string
        self.handlerVersion = json["handler"]?["version"]?.string
        self.before = json["before"]?.object ?? [:]
        self.reads = (json["reads"]?.array ?? []).compactMap(JournalRead.init(json:))
        self.outputs = outputs.compactMap {
            guard let target = $0["target"]?.string, let digest = $0["digest"]?.string else { return nil }
            return Output(target: target, id: $0["id"]?.string, type: $0["type"]?.string, digest: digest)
        }
        self.previousDigest = json["previous"]?.string ?? ""
    }
}
