internal import GRDB
package import IntentEvents
package import IntentKit
package import IntentRuntime
internal import SQLiteStore

/// A dead letter in brief: a row of `dead_letters` (R39), with what its interaction's row says.
package struct RecordedLetter: Hashable, Sendable {
    package var position: RecordPosition
    /// When it was written.
    package var timestamp: Timestamp
    /// The kind of error.
    package var error: String?
    /// What is wrong; it may repeat sensitive values.
    package var detail: String?
    /// The user, if known.
    package var userID: UserID?
    package var type: String?
    /// The position of the event: `topic/partition/offset`.
    package var origin: String?
    /// The interaction that ended with it, if there was one.
    package var interactionID: InteractionID?
    /// The position of that interaction's request.
    package var request: RequestID?
    package var intent: String?
    /// What could not process the event, a stage or `webhooks`; nil where that is not known.
    package var stage: String?
    /// Its mark as handled; nil for a letter that is not.
    package var handled: LetterHandling?

    package init(position: RecordPosition, timestamp: Timestamp) {
        self.position = position
        self.timestamp = timestamp
    }

    /// Reads a letter of the topic.
    ///
    /// - Parameters:
    ///   - letter: The letter.
    ///   - intent: The intent of its interaction, for an event that names none.
    package init(_ letter: DeadLetter, intent: String? = nil) {
        let headers = letter.headers
        self.init(position: letter.position, timestamp: Timestamp(clamping: letter.record.timestamp))
        self.error = headers.error
        self.detail = headers.detail
        self.userID = letter.userID
        self.type = letter.type
        self.origin = Self.origin(headers.topic, headers.partition, headers.offset)
        self.interactionID = letter.interactionID
        self.request = headers.request
        self.intent = letter.intent?.name ?? intent
        self.stage = letter.place
    }

    /// The name that users know it by: `partition/offset`.
    package var name: String { "\(self.position.partition)/\(self.position.offset)" }

    fileprivate static func origin(_ topic: String?, _ partition: Int64?, _ offset: Int64?) -> String? {
        guard let topic, let partition, let offset else { return topic }
        return "\(topic)/\(partition)/\(offset)"
    }
}

/// An operator's mark that a dead letter is handled (R84e).
package struct LetterHandling: Hashable, Sendable {
    package var by: String
    /// The act's own time, by the operator's clock.
    package var at: Timestamp
    /// What was done about it.
    package var note: String?

    package init(by: String, at: Timestamp, note: String?) {
        self.by = by
        self.at = at
        self.note = note
    }

    /// The form for programs.
    package var json: JSONValue {
        .members([
            "at": .string(self.at.description), "by": .string(self.by), "note": self.note.map(JSONValue.string),
        ])
    }

    /// The mark in a sentence.
    package var summary: String {
        "by \(self.by) at \(self.at.description.prefix(19))\(self.note.map { ": \($0)" } ?? "")"
    }

    /// By how many milliseconds the clocks of operators and stages may differ: a mark may seem older than its letter.
    package static let clockSlack = ClientClock.tolerance
}

/// A dead letter with its record, and the interactions before and after it.
package struct LetterStory: Hashable, Sendable {
    package var record: RecordedEvent
    /// The interaction that ended with it, if it is recorded.
    package var interaction: RecordedInteraction?
    /// The last interaction as which its request was sent again; nil when it was not.
    package var redrivenAs: InteractionID?
    /// Its mark as handled; nil for a letter that is not.
    package var handled: LetterHandling?
}

extension ArchiveQueries {
    /// Dead letters, the newest in the file first; it reads no values.
    func letters(limit: Int) throws -> [RecordedLetter] {
        var letters = try self.rows(
            """
            SELECT d.partition, d."offset", d.timestamp, d.error, d.detail, d.user_id, d.type, d.original_topic,
                d.original_partition, d.original_offset, e.request, i.interaction_id, i.user_id, i.intent, i.phase
            FROM dead_letters d
            CROSS JOIN events_kept e
                ON e.topic = 'dead-letters' AND e.partition = d.partition AND e."offset" = d."offset"
            LEFT JOIN interactions i ON i.partition = CAST(substr(e.request, 1, instr(e.request, ':') - 1) AS INTEGER)
                AND i."offset" = CAST(substr(e.request, instr(e.request, ':') + 1) AS INTEGER)
            ORDER BY d.rowid DESC LIMIT ?
            """,
            [.integer(Int64(limit))]
        ) { row in
            var letter = RecordedLetter(
                position: RecordPosition(.deadLetters, Int(row.integer(0) ?? 0), row.integer(1) ?? 0),
                timestamp: Timestamp(milliseconds: row.integer(2) ?? 0)
            )
            letter.error = row.text(3)
            letter.detail = row.text(4)
            letter.userID = row.identity(5) ?? row.identity(12)
            letter.type = row.text(6)
            letter.origin = RecordedLetter.origin(row.text(7), row.integer(8), row.integer(9))
            letter.request = row.identity(10)
            letter.interactionID = row.identity(11)
            letter.intent = row.text(13)
            let topic = row.text(7)?.split(separator: ".").last.flatMap { Topic(rawValue: String($0)) }
            letter.stage = DeadLetter.place(
                of: letter.error,
                stage: row.text(14) ?? Stage.allCases.first { $0.inputTopic == topic }?.rawValue
            )
            return letter
        }
        guard let oldest = letters.map(\.timestamp).min() else { return letters }
        let handled = try self.handledLetters(since: oldest)
        for index in letters.indices { letters[index].handled = handled[letters[index].name] }
        return letters
    }

    /// The marks of dead letters by the letters' names.
    ///
    /// The first mark of each counts, by timestamp, partition and offset: the order of `EventLog.acts`.
    ///
    /// - Parameters:
    ///   - oldest: When the oldest of the letters was written.
    ///   - name: The letter; nil for all.
    /// - Returns: The marks.
    /// - Throws: `StoreError`.
    private func handledLetters(
        since oldest: Timestamp,
        of name: String? = nil
    ) throws -> [String: LetterHandling] {
        var filter = ActFilter()
        filter.act = OperatorAct.Kind.handled.rawValue
        filter.target = name
        filter.since = oldest + -LetterHandling.clockSlack
        // The newest come first, so the last that is read counts.
        return try self.acts(filter, limit: .max)
            .reduce(into: [:]) { handled, act in
                guard let target = act.target else { return }
                handled[target] = LetterHandling(by: act.by, at: act.at, note: act.reason)
            }
    }

    /// A dead letter with what leads to it and follows from it; nil when it is not recorded.
    func letterStory(at position: RecordPosition) throws -> LetterStory? {
        guard let record = try self.event(at: position) else { return nil }
        var story = LetterStory(record: record)
        let name = "\(position.partition)/\(position.offset)"
        story.handled = try self.handledLetters(since: record.timestamp, of: name)[name]
        guard let request = record.request, let start = RequestPosition(request.text) else { return story }
        story.interaction = try self.interaction(at: RecordPosition(.requests, Int(start.partition), start.offset))
        let again = try self.rows(Self.againSQL, [request.json, .string(position.description)]) { row in
            row.text(0).map { InteractionID($0) }
        }
        story.redrivenAs = again.first ?? nil
        return story
    }

    /// The last interaction as which the request of a dead letter was sent again.
    ///
    /// Its id is that of the letter's interaction with a number, its request names the letter as its cause, and its first
    /// turn has found that the command sent it (R48). A client that only claims so has no such turn. The joins are in the
    /// order that uses the indexes.
    private static let againSQL = """
        WITH own(id) AS (
            SELECT interaction_id FROM interactions
            WHERE partition = CAST(substr(?1, 1, instr(?1, ':') - 1) AS INTEGER)
                AND "offset" = CAST(substr(?1, instr(?1, ':') + 1) AS INTEGER)
        ), base(id) AS (
            SELECT id FROM own
            UNION SELECT rtrim(rtrim(id, '0123456789'), '~') FROM own WHERE id GLOB '*~[0-9]*'
        )
        SELECT i.interaction_id FROM base b
        CROSS JOIN interactions i ON i.interaction_id > b.id || '~' AND i.interaction_id < b.id || '~:'
        CROSS JOIN events r ON r.topic = 'requests' AND r.partition = i.partition AND r."offset" = i."offset"
            AND r.causation_id = ?2
        WHERE EXISTS (
            SELECT 1 FROM turns_kept t
            CROSS JOIN events j ON j.topic = 'journal' AND j.partition = t.partition AND j."offset" = t."offset"
            WHERE t.request = i.partition || ':' || i."offset" AND typeof(j.value) = 'text'
                AND json_extract(j.value, '$.redriven') = 1
        )
        ORDER BY i.requested_at DESC, i."offset" DESC LIMIT 1
        """
}
