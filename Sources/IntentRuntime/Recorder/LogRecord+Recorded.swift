internal import IntentEvents

extension LogRecord {
    /// The record as the recorder keeps it: whole, unless it is larger than intentd's own topics take.
    ///
    /// Compressed, a client may write more than that. What is kept then is what its dead letter holds: the key if it can be
    /// one, the headers that say what it is, the beginning of the value.
    package var recorded: LogRecord {
        // Nearly always settled by the buffer, which holds the lengths of the parts besides.
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
