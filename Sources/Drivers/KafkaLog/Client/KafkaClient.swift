import CRDKafka
import Foundation
import IntentRuntime
import Logging

/// Owns one librdkafka client and frees it exactly once.
///
/// `@unchecked Sendable`: both properties are constants; librdkafka's handles may be used from any thread.
final class KafkaClient: @unchecked Sendable {
    /// The `rd_kafka_t *`; it must not outlive this object.
    let handle: OpaquePointer
    /// The target of the client's callbacks.
    let context: ClientContext

    /// Makes a client; the callbacks of `context` are set here, others by `configure`.
    /// - Throws: ``LogError``, `configuration`, `unavailable`.
    init(
        _ type: rd_kafka_type_t,
        properties: ClientProperties,
        context: ClientContext,
        configure: (OpaquePointer) -> Void = { _ in }
    ) throws(LogError) {
        let configuration = try properties.makeConfiguration()
        rd_kafka_conf_set_opaque(configuration, Unmanaged.passUnretained(context).toOpaque())
        rd_kafka_conf_set_log_cb(configuration) { handle, level, facility, line in
            // Called on any of librdkafka's threads.
            ClientContext.of(handle.flatMap(rd_kafka_opaque))?.log(level: level, facility: facility, line: line)
        }
        rd_kafka_conf_set_error_cb(configuration) { _, code, reason, opaque in
            // Called on the thread that polls the client.
            let text = reason.map { String(cString: $0) } ?? rd_kafka_resp_err_t(code).text
            ClientContext.of(opaque)?.record(error: text)
        }
        if context.metrics != nil {
            rd_kafka_conf_set_stats_cb(configuration) { _, text, count, opaque in
                // Called on the thread that polls the client. The text stays the library's.
                let bytes = UnsafeRawBufferPointer(start: text, count: count)
                bytes.withMemoryRebound(to: UInt8.self) { report in
                    ClientStatistics(report).map { ClientContext.of(opaque)?.metrics?.record($0) }
                }
                return 0
            }
        }
        configure(configuration)
        var message = ErrorText()
        guard let handle = rd_kafka_new(type, configuration, &message.bytes, message.bytes.count) else {
            guard rd_kafka_last_error() != RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE else {
                // The library has started its threads and given up on them, since they did not report within 60 s by the
                // wall clock: a pause of the process, or a clock that was set forward, suffices. They keep running on a
                // shallow copy of the configuration, and call back. So configuration and context stay for good.
                _ = Unmanaged.passRetained(context)
                throw LogError(.unavailable, "librdkafka did not start: \(message.string)", isRetriable: true)
            }
            rd_kafka_conf_destroy(configuration)
            throw LogError(.configuration, "librdkafka rejected its configuration: \(message.string)")
        }
        self.handle = handle
        self.context = context
    }

    /// Frees the handle on a thread of its own: this may wait for librdkafka's threads, and no caller waits for it.
    deinit {
        // From here on only the closure owns the handle, and the context until the handle is gone.
        nonisolated(unsafe) let handle = self.handle
        let context = self.context
        context.giveUp()
        Thread.detachNewThread {
            rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
            withExtendedLifetime(context) {}
        }
    }

    /// An error that says what was tried, at which addresses, and with which network error.
    func failure(_ code: rd_kafka_resp_err_t, _ what: String) -> LogError {
        var error = LogError(kafka: code, what)
        if error.code == .unavailable {
            error.message = "\(what): no response from \(self.context.brokers)"
            if let cause = self.context.lastError { error.message += " (\(cause))" }
        }
        return error
    }
}
