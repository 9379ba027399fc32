import CRDKafka
import IntentRuntime

extension LaneProducer {
    /// Writes records without a transaction; blocks until all are acknowledged, at most until the deadline.
    /// - Throws: ``LogError``; after `recordTooLarge` and `unknownTopic` the producer can still be used. Some of the
    ///   records may have been written.
    func writeAll(_ records: [OutgoingRecord], deadline: ContinuousClock.Instant) throws(LogError) {
        try self.prepare(records)
        _ = self.client.context.popRefusal()
        var refusal: rd_kafka_resp_err_t?
        do {
            try self.write(records)
        } catch let failure {
            refusal = failure.code
        }
        let flushed = rd_kafka_flush(self.client.handle, deadline.remaining.milliseconds)
        if let code = refusal ?? self.client.context.popRefusal() {
            throw self.client.failure(code, "a record was not written")
        }
        guard flushed.isSuccess else {
            throw LogError(.outcomeUnknown, "records were not acknowledged in time: \(flushed.text)")
        }
    }
}
