package import IntentKit

extension TurnDraft {
    /// Writes the data of `turn.journaled`: everything that is not in the record's headers.
    package func write(to text: inout JSONText, _ seal: TurnSeal) {
        text.beginObject()
        // The header has the time of the answer. There is another time only when the answer took long.
        if self.until != nil {
            text.name("at")
            text.string { self.at.write(to: &$0) }
        }
        if self.attempt != 1 { text.member("attempt", Int64(self.attempt)) }
        if !self.before.isEmpty {
            text.name("before")
            text.beginObject()
            for (name, entry) in self.before {
                text.name(name.text)
                entry.withUnsafeBufferPointer { text.canonical($0) }
            }
            text.endObject()
        }
        if self.behaviour != 1 { text.member("behaviour", Int64(self.behaviour)) }
        text.member("crash", value: self.crash?.json)
        text.member("decided", value: self.isDecided.map(JSONValue.bool))
        text.name("event")
        text.beginObject()
        text.name("digest")
        text.string { $0.append(contentsOf: seal.eventDigest) }
        text.member("type", self.eventType)
        text.endObject()
        if let firstTriedAt = self.firstTriedAt {
            text.name("firstTriedAt")
            text.string { firstTriedAt.write(to: &$0) }
        }
        if seal.generation != 0 { text.member("generation", Int64(seal.generation)) }
        if let handlerName = self.handlerName {
            text.name("handler")
            text.beginObject()
            text.member("name", handlerName)
            text.member("version", self.handlerVersion ?? "")
            text.endObject()
        }
        text.member("held", value: self.held?.json)
        text.member("intent", self.intentName)
        text.member("note", value: self.note?.json)
        text.member("opened", ifTrue: self.opened)
        text.member("outcome", self.outcome.rawValue)
        if !seal.outputs.isEmpty {
            text.name("outputs")
            text.beginArray()
            seal.outputs.withUnsafeBufferPointer { text.canonical($0) }
            text.endArray()
        }
        text.name("position")
        text.string { self.position.write(to: &$0) }
        text.name("previous")
        text.string { $0.append(contentsOf: seal.previousDigest) }
        if !self.reads.isEmpty {
            text.name("reads")
            text.beginArray()
            for read in self.reads { text.value(read.json) }
            text.endArray()
        }
        text.member("redriven", value: self.isRedriven.map(JSONValue.bool))
        text.member("scripted", ifTrue: self.isScripted)
        text.member("truncated", ifTrue: self.isTruncated)
        text.member("wait", value: self.wait?.json)
        if !self.mistakes.isEmpty { text.member("warnings", value: .array(self.mistakes.map(\.journaled))) }
        text.member("worker", self.worker)
        text.endObject()
    }
}

extension TurnRecord: JSONWritable {
    /// Writes the data of `turn.journaled`.
    package func write(to text: inout JSONText) {
        var seal = TurnSeal(previousDigest: self.previousDigest)
        seal.generation = self.generation
        seal.eventDigest = Array(self.eventDigest.utf8)
        for output in self.outputs {
            seal.add(output: output.target) { $0.append(contentsOf: output.digest.utf8) }
        }
        self.draft.write(to: &text, seal)
    }

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

    /// Reads a record of `journal`; nil when a member is missing or of another type.
    ///
    /// - Parameter content: The record; of two headers with one name the last counts.
    package init?(_ content: RecordContent) {
        var record: TurnRecord?
        content.withParts { parts in
            guard let value = parts.value else { return }
            try? JSONTape.withView(of: value) { record = TurnRecord(content, $0) }
        }
        guard let record else { return nil }
        self = record
    }

    private init?(_ content: RecordContent, _ json: JSONView) {
        func header(_ name: String) -> String? { content.header(name) }
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
        var draft = TurnDraft(
            stage: stage,
            position: position,
            eventID: eventID,
            eventType: eventType,
            userID: UserID(userID),
            at: at ?? time,
            attempt: Int(json["attempt"]?.integer ?? 1),
            worker: worker,
            outcome: outcome
        )
        draft.behaviour = (json["behaviour"]?.integer).map { Int(clamping: $0) } ?? 1
        draft.until = at == nil ? nil : time
        draft.firstTriedAt = json["firstTriedAt"]?.string.flatMap(Timestamp.init)
        draft.interactionID = header(EventHeaderName.subject).map { InteractionID($0) }
        draft.request = header(EventHeaderName.request).map { RequestID($0) }
        draft.intentName = json["intent"]?.string
        draft.opened = json["opened"]?.bool ?? false
        draft.handlerName = json["handler"]?["name"]?.string
        draft.handlerVersion = json["handler"]?["version"]?.string
        draft.isScripted = json["scripted"]?.bool ?? false
        draft.isTruncated = json["truncated"]?.bool ?? false
        draft.isRedriven = json["redriven"]?.bool
        draft.isDecided = json["decided"]?.bool
        draft.note = (json["note"]?.value).flatMap(TurnNote.init(json:))
        draft.wait = (json["wait"]?.value).flatMap(TurnWait.init(json:))
        draft.crash = (json["crash"]?.value).flatMap(CrashVerdict.init(json:))
        draft.held = (json["held"]?.value).flatMap(Pause.init(json:))
        draft.mistakes =
            json["warnings"]?.elements.compactMap { ClientMistake(json: $0.value, eventID: eventID) } ?? []
        json["before"]?.forEachMember { draft.before[StateName($0)] = $1.utf8 }
        draft.reads = json["reads"]?.elements.compactMap { JournalRead(json: $0.value) } ?? []
        self.init(
            draft,
            generation: Int(json["generation"]?.integer ?? 0),
            eventDigest: json["event"]?["digest"]?.string ?? "",
            outputs: json["outputs"]?.elements.compactMap(Output.init(json:)) ?? [],
            previousDigest: json["previous"]?.string ?? ""
        )
    }
}

extension TurnRecord.Output {
    /// Reads a pair of a target and a digest; nil for anything else.
    fileprivate init?(json: JSONView) {
        var pair = json.elements
        guard let target = pair.next()?.string, let digest = pair.next()?.string, pair.next() == nil else { return nil }
        self.init(target: target, digest: digest)
    }
}
