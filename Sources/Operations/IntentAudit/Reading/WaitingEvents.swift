internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// The events that their stage has read and that wait in its state, behind a parked turn (R5).
enum WaitingEvents {
    /// Their positions, from one partition of `state`.
    static func positions(_ log: any EventLog, _ state: TopicPartition) async throws -> Set<RecordPosition> {
        var waiting: [StateKey: RecordPosition] = [:]
        try await StateReader.read([state], of: log, formats: .current) { entries in
            for entry in entries where entry.key.name.hasPrefix(StateName.queue) {
                let stored = entry.value.flatMap { try? JSONValue(parsing: $0) }.flatMap(StoredRecord.init(json:))
                waiting[entry.key] = stored?.position
            }
            return true
        }
        return Set(waiting.values)
    }
}
