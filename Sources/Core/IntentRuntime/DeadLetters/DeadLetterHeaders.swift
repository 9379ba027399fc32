package import IntentEvents
internal import IntentKit

/// The contents of a dead letter's headers (R47).
package struct DeadLetterHeaders: Hashable, Sendable {
    /// The kinds of error.
    package static let errors =
        EventDecodingError.Code.allCases.map(\.rawValue) + ["handlerFailed", "stateUnreadable", Self.webhookFailed]
    /// An event that the webhook did not take (R88).
    package static let webhookFailed = "webhookFailed"

    /// `intentd_error`: the kind of defect.
    package var error: String?
    /// `intentd_detail`: what is wrong.
    package var detail: String?
    /// `intentd_interaction`: the id of the interaction that it ended.
    package var interactionID: InteractionID?
    /// `intentd_request`: the position of that interaction's request.
    package var request: RequestID?
    /// `intentd_redrive`: what an interaction that is redriven takes over from it.
    package var redrive: RedriveState
    /// `intentd_value-size`, `intentd_headers-size` or `intentd_key-size`: whether a part of the event is incomplete
    /// here.
    package var isCut: Bool
    /// `kafka_dlt-original-topic`.
    package var topic: String?
    /// `kafka_dlt-original-partition`.
    package var partition: Int64?
    /// `kafka_dlt-original-offset`.
    package var offset: Int64?
    /// `kafka_dlt-original-timestamp`.
    package var timestamp: Int64?
    /// `kafka_dlt-exception-fqcn`.
    package var exceptionClass: String?
    /// `kafka_dlt-exception-message`.
    package var exceptionMessage: String?

    /// Reads the headers; the last of each name counts.
    package init(_ record: RecordContent) {
        self.error = record.header("intentd_error")
        self.detail = record.header("intentd_detail")
        // Anybody may have written the headers that came with the event.
        let headers = record.headers
        let own = headers.dropFirst(Self.original(headers).count)
        self.interactionID = own.last { $0.name == "intentd_interaction" }?.text.map { InteractionID($0) }
        self.request = own.last { $0.name == "intentd_request" }?.text.map { RequestID($0) }
        let redrive = own.last { $0.name == Redrive.stateHeader }?.text
        self.redrive = redrive.flatMap { RedriveState(text: Array($0.utf8)) } ?? RedriveState()
        let sizes = [OutgoingRecord.CutHeader.value, OutgoingRecord.CutHeader.headers, OutgoingRecord.CutHeader.key]
        self.isCut = own.contains { sizes.contains($0.name) }
        self.topic = record.header("kafka_dlt-original-topic")
        self.partition = Self.integer("kafka_dlt-original-partition", record)
        self.offset = Self.integer("kafka_dlt-original-offset", record)
        self.timestamp = Self.integer("kafka_dlt-original-timestamp", record)
        self.exceptionClass = record.header("kafka_dlt-exception-fqcn")
        self.exceptionMessage = record.header("kafka_dlt-exception-message")
    }

    /// The headers that came with the event: those before intentd's own.
    package static func original(_ headers: [LogHeader]) -> [LogHeader] {
        Array(headers[..<(headers.lastIndex { $0.name == "intentd_error" } ?? headers.endIndex)])
    }

    /// A number in digits, or big-endian in 4 or 8 bytes, which is Spring Kafka's form.
    private static func integer(_ name: String, _ record: RecordContent) -> Int64? {
        if let digits = record.header(name).flatMap({ Int64($0) }) { return digits }
        guard let bytes = record.headers.last(where: { $0.name == name })?.value else { return nil }
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return switch bytes.count {
        case 4: Int64(Int32(truncatingIfNeeded: value))
        case 8: Int64(bitPattern: value)
        default: nil
        }
    }
}
