internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// A range of one partition of `journal`, with the beginnings and ends of the topics that its turns read.
struct JournalRange: Sendable {
    var partition: Int
    var start: Int64
    /// The offset after its last one.
    var end: Int64
    /// All that the journal still holds.
    var whole: Range<Int64>
    /// What the input topics hold.
    var inputs: [Topic: Range<Int64>]

    var count: Int64 { max(0, self.end - self.start) }

    /// The topics whose records are turns' events.
    static let inputTopics: [Topic] = [.requests, .resolved, .confirmed, .signals]

    /// Finds the ranges that a selection names.
    ///
    /// - Throws: `AuditError`: `cutByRetention` when the journal begins after the start of a range, `notFound` for a
    ///   partition that does not exist.
    static func select(
        _ selection: ReplaySelection,
        _ log: any EventLog,
        prefix: String,
        partitions count: Int
    ) async throws -> [JournalRange] {
        if let partition = selection.partition, !(0..<count).contains(partition) {
            throw AuditError(.notFound, "Unknown partition \(partition): partitions are 0 to \(count - 1).")
        }
        let numbers = selection.partition.map { [$0] } ?? Array(0..<count)
        func topicPartitions(_ topic: Topic) -> [TopicPartition] {
            numbers.map { TopicPartition(topic.name(prefix: prefix), $0) }
        }
        let journal = topicPartitions(.journal)
        let inputs = Self.inputTopics.flatMap(topicPartitions)
        // The journal's end is read first: all that its turns have read is on the topics by then.
        let ends = try await log.offsets(journal, at: .lastStable)
        let inputEnds = try await log.offsets(inputs, at: .end)
        let earliest = try await log.offsets(journal + inputs, at: .earliest)
        let since = try await Self.offsets(journal, selection.since, log)
        // A broker may find only the compressed batch that contains a time; the records' own times decide.
        let until = try await Self.offsets(journal, selection.until.map { $0 + 1_000 }, log)
        return try numbers.map { number in
            let topicPartition = TopicPartition(Topic.journal.name(prefix: prefix), number)
            let first = earliest[topicPartition] ?? 0
            let end = ends[topicPartition] ?? 0
            var start = max(selection.fromOffset ?? 0, since[topicPartition] ?? 0)
            if first > 0 && start <= first && start != selection.fromOffset || start < first {
                throw AuditError(
                    .cutByRetention,
                    "Retention has removed \(topicPartition) up to offset \(first), which is part of the range to "
                        + "replay. Start later (--since, --from-offset \(first))."
                )
            }
            start = min(start, end)
            let last = min(selection.toOffset ?? end, until[topicPartition] ?? end, end)
            var ranges: [Topic: Range<Int64>] = [:]
            for topic in Self.inputTopics {
                let input = TopicPartition(topic.name(prefix: prefix), number)
                let begin = earliest[input] ?? 0
                ranges[topic] = begin..<max(begin, inputEnds[input] ?? 0)
            }
            return JournalRange(
                partition: number,
                start: start,
                end: max(start, last),
                whole: first..<max(first, end),
                inputs: ranges
            )
        }
    }

    private static func offsets(
        _ partitions: [TopicPartition],
        _ time: Timestamp?,
        _ log: any EventLog
    ) async throws -> [TopicPartition: Int64] {
        guard let time else { return [:] }
        return try await log.offsets(partitions, at: .time(time.milliseconds))
    }
}
