internal import IntentEvents
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
    /// What the current turn's record says besides its draft; its previous digest is the chain's head (R41).
    private var seal: TurnSeal
    private(set) var hasTurns = false
    private var writer = RecordContentWriter(capacity: 4 * 1024)
    private var pieces: [Piece] = []
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
        self.seal = TurnSeal(previousDigest: chain)
    }

    /// The digest of the last turn (R41).
    var chain: String { String(decoding: self.seal.previousDigest, as: UTF8.self) }

    /// The records, in the order in which they are to be written; read when all of them are there.
    var records: [OutgoingRecord] {
        var records: [OutgoingRecord] = []
        self.add(to: &records)
        return records
    }

    /// Adds them to others.
    func add(to records: inout [OutgoingRecord]) {
        for piece in self.pieces {
            switch piece {
            case .written(let topicPartition, let range):
                records.append(OutgoingRecord(topicPartition: topicPartition, content: self.writer.content(range)))
            case .whole(let record): records.append(record)
            }
        }
    }

    /// Adds a user's turns, and the user's state after them.
    mutating func append(_ part: PartitionBatch.Part) {
        let (entries, user) = (part.entries, part.user)
        for entry in entries { self.append(entry.result, generation: entry.generation) }
        let needed = entries.reduce(1) { max($0, $1.result.neededFormat) }
        for (name, value) in part.writes {
            let index = self.pieces.count
            let parked = name == StateName.parked ? value?.form(ParkedTurn.self) : nil
            self.appendState(user: user, name, value?.text, format: max(needed, parked?.format ?? 1))
            guard name != StateName.parked, !name.hasPrefix(StateName.queue) else { continue }
            // If several turns wrote it, the last one counts.
            let writer = entries.count == 1 ? entries[0] : entries.last { $0.result.writes.keys.contains(name) }
            if let writer { self.record(index..<index + 1, writer.result.stored.position) }
        }
    }

    /// Records the event whose turn wrote these records.
    private mutating func record(_ records: Range<Int>, _ event: RecordPosition) {
        if let last = self.events.last, last.event == event, last.records.upperBound == records.lowerBound {
            self.events[self.events.count - 1].records = last.records.lowerBound..<records.upperBound
        } else {
            self.events.append((records, event))
        }
    }

    /// Adds a turn: its outputs with their ids (R7), and its journal record.
    ///
    /// - Parameters:
    ///   - result: The turn's result.
    ///   - generation: 0, or the number of the continuation.
    ///   - draft: What the record says instead of the turn's own draft; nil for that.
    mutating func append(_ result: TurnResult, generation: Int, as draft: TurnDraft? = nil) {
        let first = self.pieces.count
        let identifiers = self.environment.identifiers(of: result.stored.position)
        let eventDigest = result.stored.content.withBytes { SHA256.digest($0) }
        self.seal.generation = generation
        self.seal.eventDigest.removeAll(keepingCapacity: true)
        eventDigest.writeHex(to: &self.seal.eventDigest)
        self.seal.removeOutputs()
        for (ordinal, output) in result.outputs.enumerated() {
            let digest = self.append(output, of: result, eventDigest) { text in
                identifiers.write(generation: generation, ordinal: String(ordinal), to: &text)
            }
            self.seal.add(output: output.topic.rawValue) { digest.writeHex(to: &$0) }
        }
        for (name, value) in result.writes {
            self.seal.add(output: TurnRecord.Output.target(name)) { text in
                if let value { SHA256.digest(value.text).writeHex(to: &text) }
            }
        }
        // `??` would copy the draft, which has many parts.
        if let draft {
            self.appendJournal(draft, identifiers, format: result.journalFormat)
        } else {
            self.appendJournal(result.record, identifiers, format: result.journalFormat)
        }
        self.record(first..<self.pieces.count, result.stored.position)
        if self.environment.metrics != nil { self.tally.add(result) }
        if let spans = result.spans { self.spans.append(spans) }
    }

    /// Adds an event that no turn wrote: a timer.
    mutating func append(_ draft: EventDraft, of kind: TimerKind, id: String) {
        let (environment, marks) = (self.environment, RecordFormats.marks(of: kind.format))
        self.writeUndigested(to: environment.topicPartition(.signals, self.partition)) { writer in
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
    mutating func appendState(user: UserID, _ name: StateName, _ value: [UInt8]?, format: Int = 1) {
        let environment = self.environment
        self.writeUndigested(to: environment.topicPartition(.state, self.partition)) { writer in
            let key = StateKey(stage: environment.stage, user: user, name: name)
            writer.writePart { key.write(to: &$0) }
            writer.append(part: value)
            for mark in RecordFormats.marks(of: format) { writer.append(mark) }
        }
    }

    /// Adds the chain head, with the offsets that are committed with it (R6, R41).
    ///
    /// - Parameter read: The offsets; nil where they are not committed together with the state.
    mutating func appendHead(_ read: ReadOffsets?) {
        // Without offsets a head that has not changed says nothing new; without a turn there is no head.
        guard self.hasTurns || read != nil && !self.chain.isEmpty else { return }
        let (chain, environment) = (self.chain, self.environment)
        self.writeUndigested(to: environment.topicPartition(.state, self.partition)) { writer in
            writer.writePart { StateKey(stage: environment.stage, user: "", name: StateKey.chain).write(to: &$0) }
            writer.append(part: chain)
            if let read { writer.append(header: ReadOffsets.header, read.text) }
            for mark in RecordFormats.marks(of: environment.settings.formats.writes) { writer.append(mark) }
        }
    }

    /// Adds a record that the closure writes to the end of the buffer.
    ///
    /// - Returns: Its digest.
    private mutating func write(
        to topicPartition: TopicPartition,
        _ body: (_ writer: inout RecordContentWriter) -> Void
    ) -> SHA256Digest {
        let range = self.writeUndigested(to: topicPartition, body)
        return self.writer.withBytes(range) { SHA256.digest($0) }
    }

    /// Adds a record that the closure writes to the end of the buffer, and whose digest is not needed.
    ///
    /// - Returns: Its range in the buffer.
    @discardableResult
    private mutating func writeUndigested(
        to topicPartition: TopicPartition,
        _ body: (_ writer: inout RecordContentWriter) -> Void
    ) -> Range<Int> {
        let start = self.writer.position
        body(&self.writer)
        let range = start..<self.writer.position
        self.pieces.append(.written(topicPartition, range))
        return range
    }

    /// Adds a turn's record on `journal`: its digest is the chain's head from now on.
    private mutating func appendJournal(_ draft: TurnDraft, _ identifiers: TurnIdentifiers, format: Int) {
        // These are read outside the closure, since the buffer is being written inside.
        let (seal, environment) = (self.seal, self.environment)
        let digest = self.write(to: environment.topicPartition(.journal, self.partition)) { writer in
            writer.append(part: draft.userID.text)
            writer.writeJSON { draft.write(to: &$0, seal) }
            writer.append(
                headersOfEvent: { identifiers.write(generation: seal.generation, ordinal: "j", to: &$0) },
                source: environment.stage.source,
                type: EventType.turnJournaled.rawValue,
                time: draft.until ?? draft.at,
                userID: draft.userID,
                subject: draft.interactionID,
                causationID: draft.eventID,
                stage: draft.stage,
                request: draft.request,
                passedThrough: [:]
            )
            for mark in RecordFormats.marks(of: format) { writer.append(mark) }
        }
        self.hasTurns = true
        self.seal.previousDigest.removeAll(keepingCapacity: true)
        digest.writeHex(to: &self.seal.previousDigest)
    }

    /// Adds a turn's output.
    ///
    /// - Returns: Its digest.
    private mutating func append(
        _ output: TurnOutput,
        of result: TurnResult,
        _ eventDigest: SHA256Digest,
        id: (inout [UInt8]) -> Void
    ) -> SHA256Digest {
        let stored = result.stored
        switch output {
        case .event(let topic, let draft):
            let topicPartition = self.environment.topicPartition(topic, result.answerPartition ?? self.partition)
            let marks = topic.hasFormat ? RecordFormats.marks(of: result.neededFormat) : []
            return self.write(to: topicPartition) { [environment = self.environment] writer in
                draft.write(
                    to: &writer,
                    id: id,
                    source: environment.stage.source,
                    cause: result.record.eventID,
                    marks: marks
                )
            }
        case .addressed(let topic, let draft, let partition, let own):
            let topicPartition = self.environment.topicPartition(topic, partition)
            let marks = topic.hasFormat ? RecordFormats.marks(of: result.neededFormat) : []
            return self.write(to: topicPartition) { [environment = self.environment] writer in
                draft.write(
                    to: &writer,
                    id: { if let own { $0.append(contentsOf: own.utf8) } else { id(&$0) } },
                    source: environment.stage.source,
                    cause: result.record.eventID,
                    marks: marks
                )
            }
        case .forward(let topic, let partition, let stage):
            let topicPartition = self.environment.topicPartition(topic, partition)
            guard let stage else {
                self.pieces.append(.whole(OutgoingRecord(topicPartition: topicPartition, content: stored.content)))
                return eventDigest
            }
            return self.write(to: topicPartition) { writer in
                stored.content.withParts { parts in
                    writer.append(part: parts.key)
                    writer.append(part: parts.value)
                }
                writer.append(headersOf: stored.content, except: EventHeaderName.stage)
                writer.append(header: EventHeaderName.stage, stage.rawValue)
            }
        case .deadLetter(let error, let detail):
            var reason = OutgoingRecord.DeadLetterReason(error: error, detail: detail)
            if let id = result.record.interactionID, let request = result.record.request {
                reason.interaction = (id, request)
            }
            reason.redrive = result.redrive
            reason.isCut = result.isCut
            let letter = OutgoingRecord.deadLetter(
                of: stored,
                at: self.environment.topicPartition(stored.position.topic, stored.position.partition),
                to: self.environment.topicPartition(.deadLetters, self.partition),
                reason
            )
            self.pieces.append(.whole(letter))
            return letter.content.withBytes { SHA256.digest($0) }
        }
    }
}
