internal import IntentEvents
internal import IntentKit

extension TurnAssembler {
    /// The event that produced the largest record of a batch; nil when it was no event.
    static func eventOfLargestRecord(_ assemblers: some Sequence<TurnAssembler>) -> RecordPosition? {
        var largest: (size: Int, record: OutgoingRecord, event: RecordPosition?)?
        for assembler in assemblers {
            for (index, record) in assembler.records.enumerated() where record.batchSize > largest?.size ?? 0 {
                largest = (record.batchSize, record, assembler.events.last { $0.records.contains(index) }?.event)
            }
        }
        guard let largest else { return nil }
        if let event = largest.event { return event }
        guard let key = largest.record.key.flatMap(StateKey.init),
            key.name == StateName.parked || key.name.hasPrefix(StateName.queue),
            let value = largest.record.value
        else { return nil }
        return QueuedEvent(text: value)?.stored.position
    }
}
