internal import IntentEvents
internal import IntentKit
internal import LibCrypto

/// Assembles the results of a batch's turns into the records of one transaction: outputs, journal, state (R2).
///
/// They are written one after the other into one buffer.
struct TurnAssembler {
    /// A record, and where its content is.
    private enum Piece {
        /// In the buffer.
        case written(TopicPartition, Range<Int>)
        /// Elsewhere: it is forwarded unchanged, or was assembled separately.
        case whole(OutgoingRecord)
    }

    private let environment: StageEnvironment
    private let partition: Int
    /// The digest of the last turn; nil while there is none (R41).
    private var head: SHA256Digest?
    /// The text that the chain began with.
    private let chainBefore: String
    private var writer = RecordContentWriter(capacity: 4 * 1024)
    private var pieces: [Piece] = []
    /// The digests of the outputs of the current turn.
    private var digests: [SHA256Digest] = []
    /// The events whose turns wrote the records, by the records' indices.
    ///
    /// Timers belong to no event, and neither do state entries of waiting events: these have their own positions.
    private(set) var events: [(records: Range<Int>, event: RecordPosition)] = []

    /// The outcomes of the turns, for metrics and the lane's condition; empty where nothing is measured.
    private(set) var tally = TurnTally()
    /// The spans of the turns that are traced.
    private(set) var spans: [TurnSpans] = []

    /// Starts a batch of one partition after the turn with that digest.
    init(environment: StageEnvironment, partition: Int, chain: String) {
        self.environment = environment
        self.partition = partition
        self.chainBefore = chain
    }

    /// The digest of the last turn (R41).
    var chain: String { self.head?.hex() ?? self.chainBefore }

    /// Whether any turn was added.
    var hasTurns: Bool { self.head != nil }

    /// The records, in the order in which they are to be written; read when all of them are there.
    var records: [OutgoingRecord] {
        self.pieces.map { piece in
            switch piece {
            case .written(let place, let range):
                OutgoingRecord(topicPartition: place, content: self.writer.content(range))
            case .whole(let record): record
            }
        }
    }

    /// Adds a user's turns, and the user's state after them.
    mutating func append(_ entries: [UserRun.Entry], user: UserID, writes: StateWrites) {
        for entry in entries { self.append(entry) }
        for (name, value) in writes {
            let place = self.pieces.count
            self.appendState(user: user, name, value?.text)
            guard name != StateName.parked, !name.hasPrefix(StateName.queue) else { continue }
            // If several turns wrote it, the last one counts.
            let writer = entries.count == 1 ? entries[0] : entries.last { $0.result.writes.keys.contains(name) }
            if let writer { self.note(place..<place + 1, writer.result.stored.position) }
        }
    }

    /// Notes the event whose turn wrote these records.
    private mutating func note(_ records: Range<Int>, _ event: RecordPosition) {
        if let last = self.events.last, last.event == event, last.records.upperBound == records.lowerBound {
            self.events[self.events.count - 1].records = last.records.lowerBound..<records.upperBound
        } else {
            self.events.append((records, event))
        }
    }

    /// Adds a turn: its outputs with their ids (R7), and its journal record.
    mutating func append(_ entry: UserRun.Entry) {
        let result = entry.result
        let first = self.pieces.count
        let identifiers = TurnIdentifiers(
            deployment: self.environment.deployment,
            stage: self.environment.stage,
            position: result.stored.position
        )
        self.digests.removeAll(keepingCapacity: true)
        for (ordinal, output) in result.outputs.enumerated() {
            self.append(output, of: result) { text in
                identifiers.write(generation: entry.generation, ordinal: String(ordinal), to: &text)
            }
        }
        self.head = self.appendJournal(entry, identifiers)
        self.note(first..<self.pieces.count, result.stored.position)
        if self.environment.metrics != nil { self.tally.add(result) }
        if let spans = result.spans { self.spans.append(spans) }
    }

    /// Adds an event that no turn wrote: a timer.
    mutating func append(_ draft: EventDraft, id: String, to topic: Topic) {
        let (environment, marks) = (self.environment, self.marks(on: topic))
        self.write(to: environment.topicPartition(topic, self.partition)) { writer in
            draft.write(
                to: &writer,
                id: { $0.append(contentsOf: id.utf8) },
                source: environment.stage.source,
                cause: nil,
                marks: marks
            )
        }
    }

    /// Adds a state entry with its value after the batch; nil removes it.
    mutating func appendState(user: UserID, _ name: StateName, _ value: [UInt8]?) {
        let environment = self.environment
        self.write(to: environment.topicPartition(.state, self.partition)) { writer in
            let key = StateKey(stage: environment.stage, user: user, name: name)
            writer.writePart { key.write(to: &$0) }
            writer.append(part: value)
            for mark in environment.settings.formats.marks { writer.append(mark) }
        }
    }

    /// Adds the chain head, with the offsets that are committed with it (R6, R41).
    ///
    /// - Parameter read: The offsets; nil where they are not committed together with the state.
    mutating func appendHead(_ read: ReadOffsets?) {
        // Without offsets a head that has not changed says nothing new; without a turn there is no head.
        guard self.hasTurns || read != nil && !self.chain.isEmpty else { return }
        let (chain, environment) = (self.chain, self.environment)
        self.write(to: environment.topicPartition(.state, self.partition)) { writer in
            writer.writePart { StateKey(stage: environment.stage, user: "", name: StateKey.chain).write(to: &$0) }
            writer.append(part: chain)
            if let read { writer.append(header: ReadOffsets.header, read.text) }
            for mark in environment.settings.formats.marks { writer.append(mark) }
        }
    }

    /// Adds a record that the closure writes to the end of the buffer.
    ///
    /// - Returns: Its range in the buffer.
    @discardableResult
    private mutating func write(
        to place: TopicPartition,
        _ body: (_ writer: inout RecordContentWriter) -> Void
    ) -> Range<Int> {
        let start = self.writer.position
        body(&self.writer)
        let range = start..<self.writer.position
        self.pieces.append(.written(place, range))
        return range
    }

    /// Adds a turn's record on `journal`.
    ///
    /// - Returns: Its digest.
    private mutating func appendJournal(_ entry: UserRun.Entry, _ identifiers: TurnIdentifiers) -> SHA256Digest {
        // These are read outside the closure, since the buffer is being written inside.
        let (result, environment, digests) = (entry.result, self.environment, self.digests)
        let (head, chainBefore) = (self.head, self.chainBefore)
        let range = self.write(to: environment.topicPartition(.journal, self.partition)) { writer in
            writer.append(part: result.record.userID.text)
            writer.writeJSON { text in
                result.record.write(
                    to: &text,
                    generation: entry.generation,
                    eventDigest: { text in
                        result.stored.content.withBytes { SHA256.digest($0) }.writeHex(to: &text)
                    },
                    hasOutputs: !result.outputs.isEmpty || !result.writes.isEmpty,
                    outputs: { Self.write(outputsOf: result, digests, to: &$0) },
                    previousDigest: { text in
                        if let head {
                            head.writeHex(to: &text)
                        } else {
                            text.append(contentsOf: chainBefore.utf8)
                        }
                    }
                )
            }
            writer.append(
                headersOfEvent: { identifiers.write(generation: entry.generation, ordinal: "j", to: &$0) },
                source: environment.stage.source,
                type: EventType.turnJournaled.rawValue,
                time: result.record.until ?? result.record.at,
                userID: result.record.userID,
                subject: result.record.interactionID,
                causationID: result.record.eventID,
                stage: result.record.stage,
                request: result.record.request,
                passedThrough: [:]
            )
            for mark in environment.settings.formats.marks { writer.append(mark) }
        }
        return self.writer.withBytes(range) { SHA256.digest($0) }
    }

    /// Writes the journal's list of a turn's outputs: its records, then its state entries.
    private static func write(outputsOf result: TurnResult, _ digests: [SHA256Digest], to text: inout JSONText) {
        for (output, digest) in zip(result.outputs, digests) {
            text.beginArray()
            text.string(output.topic.rawValue)
            text.string { digest.writeHex(to: &$0) }
            text.endArray()
        }
        for (name, value) in result.writes {
            text.beginArray()
            text.string(TurnRecord.Output.target(name))
            text.string { if let text = value?.text { SHA256.digest(text).writeHex(to: &$0) } }
            text.endArray()
        }
    }

    /// Adds a turn's output, and its digest.
    private mutating func append(_ output: TurnOutput, of result: TurnResult, id: (inout [UInt8]) -> Void) {
        let stored = result.stored
        switch output {
        case .event(let topic, let draft):
            let place = self.environment.topicPartition(topic, result.answerPartition ?? self.partition)
            let marks = self.marks(on: topic)
            let range = self.write(to: place) { [environment = self.environment] writer in
                draft.write(
                    to: &writer,
                    id: id,
                    source: environment.stage.source,
                    cause: result.record.eventID,
                    marks: marks
                )
            }
            self.digests.append(self.writer.withBytes(range) { SHA256.digest($0) })
        case .forward(let topic, let partition, let stage):
            let place = self.environment.topicPartition(topic, partition)
            guard let stage else {
                self.append(whole: OutgoingRecord(topicPartition: place, content: stored.content))
                return
            }
            let range = self.write(to: place) { writer in
                stored.content.withParts { parts in
                    writer.append(part: parts.key)
                    writer.append(part: parts.value)
                }
                writer.append(headersOf: stored.content, except: EventHeaderName.stage)
                writer.append(header: EventHeaderName.stage, stage.rawValue)
            }
            self.digests.append(self.writer.withBytes(range) { SHA256.digest($0) })
        case .deadLetter(let error, let detail):
            var burial = OutgoingRecord.Burial(error: error, detail: detail)
            if let id = result.record.interactionID, let request = result.record.request {
                burial.interaction = (id, request)
            }
            burial.redrive = result.redrive
            burial.isCut = result.isCut
            let letter = OutgoingRecord.deadLetter(
                of: stored,
                at: self.environment.topicPartition(stored.position.topic, stored.position.partition),
                to: self.environment.topicPartition(.deadLetters, self.partition),
                burial
            )
            self.append(whole: letter)
        }
    }

    private mutating func append(whole record: OutgoingRecord) {
        self.pieces.append(.whole(record))
        self.digests.append(record.content.withBytes { SHA256.digest($0) })
    }

    private func marks(on topic: Topic) -> [LogHeader] {
        topic.hasFormat ? self.environment.settings.formats.marks : []
    }
}
