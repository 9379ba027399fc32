internal import IntentEvents
package import IntentRuntime

extension LogRecord {
    /// The record as the recorder keeps it: complete, unless it is larger than intentd's own topics accept.
    ///
    /// A client may write a larger one by compressing it. Then the recorder keeps what the dead letter holds: the key
    /// if it can be one, the headers that describe the event, the beginning of the value.
    package var recorded: LogRecord {
        // The size of the buffer almost always decides this; it also includes the lengths of the parts.
        guard self.content.byteCount > TopicPlan.maximumRecordBytes else { return self }
        let bytes = self.content.withParts { $0.envelopeCount + ($0.value?.count ?? 0) }
        guard bytes > TopicPlan.maximumRecordBytes else { return self }
        var record = self
        if let key = self.key, key.count > Event.maximumIDBytes { record.key = nil }
        record.headers = OutgoingRecord.kept(of: self.headers)
        record.value = self.value.map { Array($0.prefix(OutgoingRecord.cutValueBytes)) }
        return record
    }
}
