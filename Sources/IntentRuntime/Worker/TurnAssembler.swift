internal import IntentEvents
internal import IntentKit
internal import LibCrypto

/// Puts the results of a batch's turns together as the records of one transaction: outputs, journal, state (R2).
struct TurnAssembler {
    private let environment: StageEnvironment
    private let partition: Int
    /// The digest of the last turn; the text that the chain began with while there is none (R41).
    private var head: SHA256Digest?
    private let chainBefore: String
    /// The records so far, in the order in which they are to be written.
    private(set) var records: [OutgoingRecord] = []
    /// The events whose turns wrote the records, by the records' places; timers and state are nobody's.
    private(set) var events: [(records: Range<Int>, event: RecordPosition)] = []

    /// Begins a batch of one partition after the turn with that digest.
    init(environment: StageEnvironment, partition: Int, chain: String) {
        self.environment = environment
        self.partition = partition
        self.chainBefore = chain
    }

    /// The digest of the last turn (R41).
    var chain: String { self.head?.hex() ?? self.chainBefore }

    /// Whether any turn was added.
    var hasTurns: Bool { self.head != nil }

    /// Adds a turn: its outputs with their ids (R7), and its journal record.
    mutating func append(_ entry: UserRun.Entry) {
        let result = entry.result
        let record = result.record
        let first = self.records.count
        let identifiers = TurnIdentifiers(
            deployment: self.environment.deployment,
            stage: self.environment.stage,
            position: result.stored.position
        )
        for (ordinal, output) in result.outputs.enumerated() {
            let outgoing = self.outgoing(output, of: result) { text in
                identifiers.write(generation: entry.generation, ordinal: String(ordinal), to: &text)
            }
            self.records.append(outgoing)
        }
        var journal = RecordContentWriter(capacity: 1536)
        journal.append(part: record.userID.text)
        journal.writeJSON { text in
            record.write(
                to: &text,
                generation: entry.generation,
                eventDigest: { SHA256.digest(result.stored.content.bytes).writeHex(to: &$0) },
                hasOutputs: !result.outputs.isEmpty || !result.writes.isEmpty,
                outputs: { self.writeOutputs(of: result, from: first, to: &$0) },
                previousDigest: { text in
                    if let head = self.head {
                        head.writeHex(to: &text)
                    } else {
                        text.append(contentsOf: self.chainBefore.utf8)
                    }
                }
            )
        }
        journal.append(
            headersOfEvent: { identifiers.write(generation: entry.generation, ordinal: "j", to: &$0) },
            source: self.environment.stage.source,
            type: EventType.turnJournaled.rawValue,
            time: record.until ?? record.at,
            userID: record.userID,
            subject: record.interactionID,
            causationID: record.eventID,
            stage: record.stage,
            request: record.request,
            passedThrough: [:]
        )
        for mark in self.environment.settings.formats.marks { journal.append(mark) }
        let content = journal.content
        self.head = SHA256.digest(content.bytes)
        self.records.append(
            OutgoingRecord(
                topicPartition: self.environment.topicPartition(.journal, self.partition),
                content: content
            )
        )
        self.events.append((first..<self.records.count, result.stored.position))
    }

    /// Writes what the journal says of a turn's outputs: its records from that place on, then its state entries.
    private func writeOutputs(of result: TurnResult, from first: Int, to text: inout JSONText) {
        for (output, record) in zip(result.outputs, self.records[first...]) {
            text.beginArray()
            text.string(output.topic.rawValue)
            text.string { SHA256.digest(record.content.bytes).writeHex(to: &$0) }
            text.endArray()
        }
        for (name, value) in result.writes {
            text.beginArray()
            text.string(TurnRecord.Output.target(name))
            text.string { if let value { SHA256.digest(value).writeHex(to: &$0) } }
            text.endArray()
        }
    }

    /// Adds an event that no turn wrote: a timer.
    mutating func append(_ draft: EventDraft, id: String, to topic: Topic) {
        self.records.append(
            OutgoingRecord(
                topicPartition: self.environment.topicPartition(topic, self.partition),
                content: draft.content(
                    id: { $0.append(contentsOf: id.utf8) },
                    source: self.environment.stage.source,
                    cause: nil,
                    marks: self.marks(on: topic)
                )
            )
        )
    }

    /// Adds the state as it is after the batch.
    mutating func appendState(user: UserID, writes: StateWrites) {
        for (name, value) in writes {
            let key = StateKey(stage: self.environment.stage, user: user, name: name)
            var writer = RecordContentWriter(capacity: user.utf8.count + name.utf8.count + (value?.count ?? 0) + 32)
            writer.writePart { key.write(to: &$0) }
            writer.append(part: value)
            for mark in self.environment.settings.formats.marks { writer.append(mark) }
            self.records.append(
                OutgoingRecord(
                    topicPartition: self.environment.topicPartition(.state, self.partition),
                    content: writer.content
                )
            )
        }
    }

    private func marks(on topic: Topic) -> [LogHeader] {
        topic.hasFormat ? self.environment.settings.formats.marks : []
    }

    private func outgoing(
        _ output: TurnOutput,
        of result: TurnResult,
        id: (inout [UInt8]) -> Void
    ) -> OutgoingRecord {
        let stored = result.stored
        switch output {
        case .event(let topic, let draft):
            return OutgoingRecord(
                topicPartition: self.environment.topicPartition(topic, result.answerPartition ?? self.partition),
                content: draft.content(
                    id: id,
                    source: self.environment.stage.source,
                    cause: result.record.eventID,
                    marks: self.marks(on: topic)
                )
            )
        case .forward(let topic, let partition, let stage):
            var content = stored.content
            if let stage {
                var writer = RecordContentWriter(capacity: content.bytes.count + 64)
                content.withParts { parts in
                    writer.append(part: parts.key)
                    writer.append(part: parts.value)
                }
                writer.append(headersOf: content, except: EventHeaderName.stage)
                writer.append(header: EventHeaderName.stage, stage.rawValue)
                content = writer.content
            }
            return OutgoingRecord(
                topicPartition: self.environment.topicPartition(topic, partition),
                content: content
            )
        case .deadLetter(let error, let detail):
            var burial = OutgoingRecord.Burial(error: error, detail: detail)
            if let id = result.record.interactionID, let request = result.record.request {
                burial.interaction = (id, request)
            }
            burial.isCut = result.isCut
            return OutgoingRecord.deadLetter(
                of: stored,
                at: self.environment.topicPartition(stored.position.topic, stored.position.partition),
                to: self.environment.topicPartition(.deadLetters, self.partition),
                burial
            )
        }
    }
}
