package import IntentEvents
internal import IntentKit

extension OutgoingRecord {
    /// The names of the headers that give the size of a part of the event that is incomplete in a dead letter.
    package enum CutHeader {
        /// Bytes of the key.
        package static let key = "intentd_key-size"
        /// Bytes of the value.
        package static let value = "intentd_value-size"
        /// Bytes of names and values of the headers.
        package static let headers = "intentd_headers-size"
    }

    /// How much of a value is kept when it has to be cut.
    package static let cutValueBytes = 64 * 1024
    /// How much of a value, and of headers, is kept when the topic accepts less than it was configured for.
    static let leastBytes = 4 * 1024
    private static let maximumDetailBytes = 4 * 1024
    /// The largest dead letter; its topic takes a little more.
    private static let maximumDeadLetterBytes = TopicPlan.maximumRecordBytes - 1024

    /// Why an event goes to dead letters.
    package struct DeadLetterReason {
        /// The kind of defect.
        var error: String
        var detail: String
        /// The interaction that ends with it, and the position of its request.
        var interaction: (id: InteractionID, request: RequestID)?
        /// What that interaction passes on when it is redriven.
        var redrive: RedriveState?
        /// Whether it is always cut, since its topic accepts less than it should.
        var isCut = false

        /// The webhook has not taken the event (R88).
        package static func webhook(_ detail: String) -> Self {
            DeadLetterReason(error: DeadLetterHeaders.webhookFailed, detail: detail)
        }
    }

    /// The dead letter of an event (R47): its bytes unchanged if they fit, else as many of them as fit, with their
    /// original sizes.
    ///
    /// The headers `kafka_dlt-original-*` give the position of the complete event.
    /// - Parameters:
    ///   - stored: The event's record.
    ///   - original: The event's position.
    ///   - target: The partition of the dead letter.
    ///   - reason: The reason.
    /// - Returns: The dead letter's record.
    package static func deadLetter(
        of stored: StoredRecord,
        at original: TopicPartition,
        to target: TopicPartition,
        _ reason: DeadLetterReason
    ) -> OutgoingRecord {
        let detail = Self.cut(reason.detail)
        var own = [LogHeader("intentd_error", reason.error), LogHeader("intentd_detail", detail)]
        if let (id, request) = reason.interaction {
            own.append(LogHeader("intentd_interaction", id.text))
            own.append(LogHeader("intentd_request", request.text))
            if let redrive = reason.redrive { own.append(LogHeader(Redrive.stateHeader, redrive.json.description)) }
        }
        own.append(LogHeader("kafka_dlt-original-topic", original.topic.text))
        own.append(LogHeader("kafka_dlt-original-partition", String(original.partition)))
        own.append(LogHeader("kafka_dlt-original-offset", String(stored.position.offset)))
        own.append(LogHeader("kafka_dlt-original-timestamp", String(stored.timestamp.milliseconds)))
        own.append(LogHeader("kafka_dlt-exception-fqcn", "intentd.\(reason.error)"))
        own.append(LogHeader("kafka_dlt-exception-message", detail))
        var letter = OutgoingRecord(
            topicPartition: target,
            key: stored.key,
            value: stored.value,
            headers: stored.headers + own
        )
        guard reason.isCut || letter.batchSize > Self.maximumDeadLetterBytes else { return letter }
        if let key = stored.key, key.count > Event.maximumIDBytes {
            letter.key = nil
            own.append(LogHeader(CutHeader.key, String(key.count)))
        }
        let kept = Self.kept(
            of: stored.headers,
            in: reason.isCut ? Self.leastBytes : Event.maximumInboundEnvelopeBytes
        )
        if kept.count < stored.headers.count {
            let bytes = stored.headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
            own.append(LogHeader(CutHeader.headers, String(bytes)))
        }
        letter.headers = kept + own
        let valueBytes = reason.isCut ? Self.leastBytes : Self.cutValueBytes
        if let value = stored.value, value.count > valueBytes,
            reason.isCut || letter.batchSize > Self.maximumDeadLetterBytes
        {
            letter.value = Array(value.prefix(valueBytes))
            letter.headers.append(LogHeader(CutHeader.value, String(value.count)))
        }
        return letter
    }

    /// The headers that describe the event, unless they are longer than such a header may be.
    package static func kept(of headers: [LogHeader], in room: Int = Event.maximumInboundEnvelopeBytes) -> [LogHeader] {
        var room = room
        return headers.filter { header in
            let isOurs =
                header.name.hasPrefix("ce_") || header.name.lowercased() == EventHeaderName.contentType
                || EventHeaderName.passedThrough.contains(header.name)
            let size = header.name.utf8.count + (header.value?.count ?? 0) + 16
            guard isOurs, size <= Event.maximumIDBytes + 256, size <= room else { return false }
            room -= size
            return true
        }
    }

    /// A detail, cut to the maximum length.
    private static func cut(_ detail: String) -> String {
        guard detail.utf8.count > Self.maximumDetailBytes else { return detail }
        return String(decoding: detail.utf8.prefix(Self.maximumDetailBytes - 8), as: UTF8.self) + "…"
    }
}
