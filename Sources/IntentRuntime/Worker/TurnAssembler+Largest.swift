internal import IntentEvents
internal import IntentKit

extension TurnAssembler {
    /// The event to which the largest record of a batch is due.
    ///
    /// - Parameters:
    ///   - assemblers: The batch's records.
    ///   - outcomes: What the users' turns came to.
    /// - Returns: Nil when no event is to blame for it.
    static func eventOfLargestRecord(
        _ assemblers: some Sequence<TurnAssembler>,
        _ outcomes: [(user: UserID, entries: [UserRun.Entry])]
    ) -> RecordPosition? {
        var largest: (size: Int, record: OutgoingRecord, event: RecordPosition?)?
        for assembler in assemblers {
            for (place, record) in assembler.records.enumerated() where record.batchSize > largest?.size ?? 0 {
                largest = (record.batchSize, record, assembler.events.last { $0.records.contains(place) }?.event)
            }
        }
        guard let largest else { return nil }
        if let event = largest.event { return event }
        guard let key = largest.record.key.flatMap(StateKey.init) else { return nil }
        if key.name == StateName.parked || key.name.hasPrefix(StateName.queue) {
            return largest.record.value.flatMap { ParkedTurn(text: $0)?.event ?? StoredRecord(text: $0) }?.position
        }
        let entries = outcomes.first { $0.user == key.user }?.entries ?? []
        return entries.last { $0.result.writes.keys.contains(key.name) }?.result.stored.position
    }
}
