import CRDKafka
import IntentRuntime

/// Sends one administrative request and waits for its answer; it blocks.
struct AdminCall {
    var client: KafkaClient
    var timeout: Duration

    /// Calls `send` with options and a queue, waits for the answer's event, and passes it to `receive`.
    /// - Throws: ``LogError``, `unavailable` when no answer comes, or the error of the whole request.
    func callAsFunction<Answer>(
        _ operation: rd_kafka_admin_op_t,
        _ what: String,
        send: (_ options: OpaquePointer?, _ queue: OpaquePointer?) -> Void,
        receive: (_ event: OpaquePointer) throws(LogError) -> Answer
    ) throws(LogError) -> Answer {
        let handle = self.client.handle
        let options = rd_kafka_AdminOptions_new(handle, operation)
        defer { rd_kafka_AdminOptions_destroy(options) }
        rd_kafka_AdminOptions_set_request_timeout(options, self.timeout.milliseconds, nil, 0)
        let queue = rd_kafka_queue_new(handle)
        defer { rd_kafka_queue_destroy(queue) }
        send(options, queue)
        guard let event = rd_kafka_queue_poll(queue, self.timeout.milliseconds + 500) else {
            throw self.client.failure(RD_KAFKA_RESP_ERR__TIMED_OUT, what)
        }
        defer { rd_kafka_event_destroy(event) }
        let code = rd_kafka_event_error(event)
        guard code.isSuccess else {
            rd_kafka_poll(handle, 0)
            throw self.client.failure(code, what)
        }
        return try receive(event)
    }
}
