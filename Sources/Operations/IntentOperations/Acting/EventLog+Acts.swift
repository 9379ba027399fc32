package import IntentEvents
internal import IntentKit
package import IntentRuntime

/// An act in the operators' log.
package struct LoggedAct: Sendable {
    /// The event's id, which a rejection names.
    package var id: String
    /// The act's own time, by the operator's clock.
    package var at: Timestamp
    package var act: OperatorAct
    /// The stage to which it is addressed; nil for an act that no stage carries out.
    var stage: Stage?
    /// The partition of `signals` that it was written to.
    var partition: Int
}

extension EventLog {
    /// The acts of one kind in the operators' log (R93).
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - since: Only acts whose records are not older than that, in milliseconds since 1970.
    ///   - prefix: The prefix of the topics.
    /// - Returns: The acts, by the timestamps of their records, then by partition and offset, as in the record database.
    /// - Throws: ``LogError``; ``OperationError`` when there are no topics.
    package func acts(
        _ kind: OperatorAct.Kind,
        since: Int64,
        prefix: String
    ) async throws -> [LoggedAct] {
        try await self.acts([kind], since: since, prefix: prefix).filter { !$0.isCopy }.map(\.act)
    }

    /// The records of acts, with the copies that a pause has in other partitions; in the same order.
    func acts(
        _ kinds: Set<OperatorAct.Kind>,
        since: Int64,
        prefix: String
    ) async throws -> [(act: LoggedAct, isCopy: Bool)] {
        let partitions = try await TopicSelection([Topic.signals.rawValue], prefix: prefix, log: self).partitions
        let ends = try await self.offsets(partitions, at: .lastStable)
        let starts = try await self.offsets(partitions, at: .time(max(0, since)))
        var acts: [(record: LogRecord, act: LoggedAct, isCopy: Bool)] = []
        try await self.read(
            ends.reduce(into: [:]) { ranges, end in
                let start = starts[end.key] ?? end.value
                ranges[end.key] = start..<max(start, end.value)
            }
        ) { records in
            for record in records where record.header(EventHeaderName.type) == EventType.operatorActed.rawValue {
                guard let event = try? StoredRecord(record, topic: .signals).decoded(), let act = OperatorAct(event),
                    kinds.contains(act.kind)
                else { continue }
                let partition = record.topicPartition.partition
                let logged = LoggedAct(id: event.id, at: event.time, act: act, stage: event.stage, partition: partition)
                acts.append((record, logged, event["copy"] == true))
            }
        }
        return
            acts.sorted {
                ($0.record.timestamp, $0.act.partition, $0.record.offset)
                    < ($1.record.timestamp, $1.act.partition, $1.record.offset)
            }
            .map { ($0.act, $0.isCopy) }
    }
}
