package import IntentEvents
internal import IntentKit
package import IntentRuntime

/// An act in the operators' log.
package struct LoggedAct: Sendable {
    /// The event's id, which a rejection names.
    package var id: String
    package var at: Timestamp
    package var act: OperatorAct
}

extension EventLog {
    /// The acts of one kind in the operators' log, those on a partition in the order in which they were written (R93).
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - since: Only acts whose records are not older than that, in milliseconds since 1970.
    ///   - prefix: The prefix of the topics.
    /// - Returns: The acts.
    /// - Throws: ``LogError``; ``OperationError`` when there are no topics.
    package func acts(
        _ kind: OperatorAct.Kind,
        since: Int64,
        prefix: String
    ) async throws -> [LoggedAct] {
        let partitions = try await TopicSelection([Topic.signals.rawValue], prefix: prefix, log: self).partitions
        let ends = try await self.offsets(partitions, at: .lastStable)
        let starts = try await self.offsets(partitions, at: .time(max(0, since)))
        var acts: [LoggedAct] = []
        try await self.read(
            ends.reduce(into: [:]) { ranges, end in
                let start = starts[end.key] ?? end.value
                ranges[end.key] = start..<max(start, end.value)
            }
        ) { records in
            for record in records where record.header(EventHeaderName.type) == EventType.operatorActed.rawValue {
                guard let event = try? StoredRecord(record, topic: .signals).decoded(), let act = OperatorAct(event),
                    act.kind == kind
                else { continue }
                acts.append(LoggedAct(id: event.id, at: event.time, act: act))
            }
        }
        return acts
    }
}
