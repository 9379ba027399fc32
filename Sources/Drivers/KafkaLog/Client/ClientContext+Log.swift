import CRDKafka
import IntentRuntime
import Logging
import Telemetry

extension ClientContext {
    /// Passes on a log line of librdkafka; called on any of its threads.
    func log(level: Int32, facility: UnsafePointer<CChar>?, line: UnsafePointer<CChar>?) {
        let facility = facility.map { String(cString: $0) } ?? ""
        let line = line.map { String(cString: $0) } ?? ""
        // A property for the other kind of client is harmless: every property of the operator reaches both kinds.
        // Failures of a transaction or a client are handled, or thrown to the caller, who may expect them: a fenced
        // lane. Each client of a process says of each connection that it fails, again and again: the process says once
        // that the broker does not answer, with the last of these lines.
        let level =
            switch facility {
            case _ where self.isGivenUp: Logger.Level.debug
            case "CONFWARN", "FAIL", "ERROR": Logger.Level.debug
            case "SESSTMOUT" where self.hasFailedLately: Logger.Level.debug
            // Repeated twice a second. The caller that makes the producer waits for it, and reports why it does not begin.
            case "GETPID" where line.contains("transactional PID"): Logger.Level.debug
            case "TXNERR", "FATAL": Logger.Level.info
            default: Self.level(syslog: level)
            }
        if facility == "FAIL" || facility == "ERROR" { self.record(error: line) }
        self.logger.log(level: level, "\(line)", metadata: [TelemetryKey.facility: "\(facility)"])
    }

    /// Logs that the client library cannot parse records.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - message: The message in place of a record.
    ///   - count: How often this has happened.
    func log(unreadable partition: TopicPartition, _ message: UnsafeMutablePointer<rd_kafka_message_t>, count: Int) {
        let text = rd_kafka_message_errstr(message).map { String(cString: $0) } ?? ""
        self.logger.error(
            "Cannot read a record, or any record after it: \(text)",
            metadata: [
                TelemetryKey.partition: "\(partition)", TelemetryKey.offset: "\(message.pointee.offset)",
                TelemetryKey.errorType: "\(message.pointee.err.text)", TelemetryKey.count: "\(count)",
            ]
        )
    }

    private static func level(syslog: Int32) -> Logger.Level {
        switch syslog {
        case ...2: .critical
        case 3: .error
        case 4: .warning
        case 5: .notice
        case 6: .info
        default: .debug
        }
    }
}
