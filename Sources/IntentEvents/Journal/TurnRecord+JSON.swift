package import IntentKit

extension TurnRecord {
    /// The data of `turn.journaled`: what the record's headers do not say.
    package var json: JSONValue {
        .members([
            // The header says the time of the answer; only when that took long is there another time to tell.
            "at": self.until == nil ? nil : .string(self.at.description),
            "attempt": self.attempt == 1 ? nil : .integer(Int64(self.attempt)),
            "before": self.before.isEmpty ? nil : .object(self.beforeByText),
            "behaviour": self.behaviour == 1 ? nil : .integer(Int64(self.behaviour)),
            "crash": self.crash?.json,
            "event": ["digest": .string(self.eventDigest), "type": .string(self.eventType)],
            "firstTriedAt": self.firstTriedAt.map { .string($0.description) },
            "generation": self.generation == 0 ? nil : .integer(Int64(self.generation)),
            "handler": self.handlerName.map { ["name": .string($0), "version": .string(self.handlerVersion ?? "")] },
            "intent": self.intentName.map(JSONValue.string),
            "opened": self.opened ? true : nil,
            "outcome": .string(self.outcome.rawValue),
            "outputs": self.outputs.isEmpty
                ? nil : .array(self.outputs.map { .array([.string($0.target), .string($0.digest)]) }),
            "position": .string(self.position.description),
            "previous": .string(self.previousDigest),
            "reads": self.reads.isEmpty ? nil : .array(self.reads.map(\.json)),
            "redriven": self.isRedriven.map(JSONValue.bool),
            "scripted": self.isScripted ? true : nil,
            "truncated": self.isTruncated ? true : nil,
            "worker": .string(self.worker),
        ])
    }

    /// The entries that were read, as JSON has them.
    private var beforeByText: JSONObject { JSONObject(self.before.map { (key: $0.key.text, value: $0.value) }) }

    /// The headers of `turn.journaled` and the rest of its attributes.
    package func event(id: String, source: String) -> Event {
        Event(
            id: id,
            source: source,
            type: .turnJournaled,
            time: self.until ?? self.at,
            subject: self.interactionID,
            userID: self.userID,
            causationID: self.eventID,
            stage: self.stage,
            request: self.request,
            data: self.json
        )
    }

    /// Reads a record of `journal`; nil when something is missing or of another type.
    ///
    /// - Parameters:
    ///   - headers: The record's headers; of two with one name the last counts.
    ///   - value: The record's value.
    package init?(headers: [EventHeader], value: [UInt8]?) {
        guard let value, let json = try? JSONValue(parsing: value) else { return nil }
        self.init(headers: headers, json: json)
    }

    private init?(headers: [EventHeader], json: JSONValue) {
        func header(_ name: String) -> String? {
            headers.last { $0.name == name }?.value.flatMap { String(validating: $0, as: UTF8.self) }
        }
        guard header(EventHeaderName.type) == EventType.turnJournaled.rawValue,
            let stage = header(EventHeaderName.stage).flatMap(Stage.init(rawValue:)),
            let time = header(EventHeaderName.time).flatMap(Timestamp.init),
            let eventID = header(EventHeaderName.causationID),
            let userID = header(EventHeaderName.userID),
            let position = json["position"]?.string.flatMap(RecordPosition.init),
            let eventType = json["event"]?["type"]?.string,
            let worker = json["worker"]?.string,
            let outcome = json["outcome"]?.string.flatMap(TurnOutcome.init(rawValue:))
        else { return nil }
        let at = json["at"]?.string.flatMap(Timestamp.init)
        self.init(
            stage: stage,
            position: position,
            generation: Int(json["generation"]?.integer ?? 0),
            eventID: eventID,
            eventType: eventType,
            userID: UserID(userID),
            at: at ?? time,
            attempt: Int(json["attempt"]?.integer ?? 1),
            worker: worker,
            outcome: outcome
        )
        self.behaviour = (json["behaviour"]?.integer).map { Int(clamping: $0) } ?? 1
        self.eventDigest = json["event"]?["digest"]?.string ?? ""
        self.until = at == nil ? nil : time
        self.firstTriedAt = json["firstTriedAt"]?.string.flatMap(Timestamp.init)
        self.interactionID = header(EventHeaderName.subject).map { InteractionID($0) }
        self.request = header(EventHeaderName.request).map { RequestID($0) }
        self.intentName = json["intent"]?.string
        self.opened = json["opened"]?.bool ?? false
        self.handlerName = json["handler"]?["name"]?.string
        self.handlerVersion = json["handler"]?["version"]?.string
        self.isScripted = json["scripted"]?.bool ?? false
        self.isTruncated = json["truncated"]?.bool ?? false
        self.isRedriven = json["redriven"]?.bool
        self.crash = json["crash"].flatMap(CrashVerdict.init(json:))
        for (name, value) in json["before"]?.object ?? [:] { self.before[StateName(name)] = value }
        self.reads = (json["reads"]?.array ?? []).compactMap(JournalRead.init(json:))
        self.outputs = (json["outputs"]?.array ?? [])
            .compactMap {
                guard let pair = $0.array, pair.count == 2, let target = pair[0].string, let digest = pair[1].string
                else { return nil }
                return Output(target: target, digest: digest)
            }
        self.previousDigest = json["previous"]?.string ?? ""
    }
}
