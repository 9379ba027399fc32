import CRDKafka
import IntentRuntime
import Logging
import Telemetry

extension ClientContext {
    /// Passes one of librdkafka's lines on; called on any of its threads.
    func log(level: Int32, facility: UnsafePointer<CChar>?, line: UnsafePointer<CChar>?) {
        let facility = facility.map { String(cString: $0) } ?? ""
        let line = line.map { String(cString: $0) } ?? ""
        // A property that is meant for the other kind of client: every property of the operator reaches both.
        // What fails a transaction or a client is met, or told to the caller, who may expect it: a lane that is fenced.
        let level =
            switch facility {
            case _ where self.isGivenUp: Logger.Level.debug
            case "CONFWARN": Logger.Level.debug
            case "TXNERR", "FATAL": Logger.Level.info
            default: Self.level(syslog: level)
            }
        if facility == "FAIL" || facility == "ERROR" {
            self.note(error: line)
        }
        self.logger.log(level: level, "\(line)", metadata: [TelemetryKey.facility: "\(facility)"])
    }

    /// Says that the client library cannot take records apart.
    ///
    /// - Parameters:
    ///   - place: The partition.
    ///   - message: What came in a record's place.
    ///   - count: How often it has been met.
    func log(unreadable place: TopicPartition, _ message: UnsafeMutablePointer<rd_kafka_message_t>, count: Int) {
        let text = rd_kafka_message_errstr(message).map { String(cString: $0) } ?? ""
        self.logger.error(
            "Records cannot be read, and nothing behind them: \(text)",
            metadata: [
                TelemetryKey.partition: "\(place)", TelemetryKey.offset: "\(message.pointee.offset)",
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
