internal import IntentEvents
internal import IntentKit

/// Puts the results of a batch's turns together as the records of one transaction: outputs, journal, state (R2).
struct TurnAssembler {
    private let environment: StageEnvironment
    private let partition: Int
    /// The digest of the last turn (R41).
    private(set) var chain: String
    /// The records so far, in the order in which they are to be written.
    private(set) var records: [OutgoingRecord] = []
    /// The events whose turns wrote the records, by the records' places; timers and state are nobody's.
    private(set) var events: [Int: RecordPosition] = [:]

    /// Begins a batch of one partition after the turn with that digest.
    init(environment: StageEnvironment, partition: Int, chain: String) {
        self.environment = environment
        self.partition = partition
        self.chain = chain
    }

    /// Adds a turn: its outputs with their ids (R7), and its journal record.
    mutating func append(_ entry: UserRun.Entry) {
        let result = entry.result
        let first = self.records.count
        defer { for place in first..<self.records.count { self.events[place] = result.stored.position } }
        let identifiers = TurnIdentifiers(
            deployment: self.environment.deployment,
            stage: self.environment.stage,
            position: result.stored.position
        )
        var record = result.record
        record.generation = entry.generation
        record.eventDigest = RecordDigest.of(
            key: result.stored.key,
            value: result.stored.value,
            headers: result.stored.headers
        )
        for (ordinal, output) in result.outputs.enumerated() {
            let id = identifiers.id(generation: entry.generation, ordinal: String(ordinal))
            let (outgoing, topic) = self.outgoing(output, id: id, of: result)
            self.records.append(outgoing)
            record.outputs.append(.init(target: topic.rawValue, digest: RecordDigest.of(outgoing)))
        }
        for (name, value) in result.writes.sorted(by: { $0.key < $1.key }) {
            record.outputs.append(
                .init(target: TurnRecord.Output.target(name), digest: value.map(RecordDigest.of) ?? "")
            )
        }
        record.previousDigest = self.chain
        let id = identifiers.id(generation: entry.generation, ordinal: "j")
        let journal = record.event(id: id, source: self.source)
        let outgoing = self.record(journal, to: .journal, value: journal.data.utf8)
        self.chain = RecordDigest.of(outgoing)
        self.records.append(outgoing)
    }

    /// Adds an event that no turn wrote: a timer.
    mutating func append(_ draft: EventDraft, id: String, to topic: Topic) {
        self.records.append(self.record(self.event(draft, id: id, cause: nil), to: topic, value: draft.value))
    }

    /// Adds the state as it is after the batch.
    mutating func appendState(user: UserID, writes: [StateName: [UInt8]?]) {
        for (name, value) in writes.sorted(by: { $0.key < $1.key }) {
            let key = StateKey(stage: self.environment.stage, user: user, name: name)
            self.records.append(
                OutgoingRecord(
                    topicPartition: self.environment.topicPartition(.state, self.partition),
                    key: key.bytes,
                    value: value,
                    headers: self.environment.settings.formats.marks
                )
            )
        }
    }

    private var source: String { "/intentd/\(self.environment.stage.rawValue)" }

    private func outgoing(
        _ output: TurnOutput,
        id: String,
        of result: TurnResult
    ) -> (OutgoingRecord, Topic) {
        let stored = result.stored
        switch output {
        case .event(let topic, let draft):
            let event = self.event(draft, id: id, cause: result.record.eventID)
            return (self.record(event, to: topic, value: draft.value, partition: result.answerPartition), topic)
        case .forward(let topic, let partition, let stage):
            var headers = stored.headers
            if let stage {
                headers.removeAll { $0.name == EventHeaderName.stage }
                headers.append(LogHeader(EventHeaderName.stage, stage.rawValue))
            }
            let record = OutgoingRecord(
                topicPartition: self.environment.topicPartition(topic, partition),
                key: stored.key,
                value: stored.value,
                headers: headers
            )
            return (record, topic)
        case .deadLetter(let error, let detail):
            var burial = OutgoingRecord.Burial(error: error, detail: detail)
            if let id = result.record.interactionID, let request = result.record.request {
                burial.interaction = (id, request)
            }
            burial.isCut = result.isCut
            let record = OutgoingRecord.deadLetter(
                of: stored,
                at: self.environment.topicPartition(stored.position.topic, stored.position.partition),
                to: self.environment.topicPartition(.deadLetters, self.partition),
                burial
            )
            return (record, .deadLetters)
        }
    }

    private func event(_ draft: EventDraft, id: String, cause: String?) -> Event {
        Event(
            id: id,
            source: self.source,
            type: draft.type,
            time: draft.time,
            subject: draft.subject,
            userID: draft.userID,
            causationID: cause,
            stage: draft.stage,
            request: draft.request,
            passedThrough: draft.passedThrough,
            data: .null
        )
    }

    private func record(
        _ event: Event,
        to topic: Topic,
        value: [UInt8],
        partition: Int? = nil
    ) -> OutgoingRecord {
        let marks = topic.hasFormat ? self.environment.settings.formats.marks : []
        return OutgoingRecord(
            topicPartition: self.environment.topicPartition(topic, partition ?? self.partition),
            key: Array(event.userID.utf8),
            value: value,
            headers: event.headers.map { LogHeader($0.name, bytes: $0.value) } + marks
        )
    }
}
