internal import IntentRuntime
package import WireRules

/// The headers of a dead letter, beside those of the original event (R47); its value is the event's bytes, or the part
/// of them that fits.
package enum DeadLetterRule {
    /// The headers; others are the event's own.
    package static let headers = ObjectRule([
        .required("intentd_error", .choice(DeadLetterHeaders.errors), "The error code."),
        .required("intentd_detail", .text(.nonEmpty), "What is wrong, and what is expected."),
        .optional("intentd_interaction", .text(.nonEmpty), "The id of the interaction that the error ended, if any."),
        .optional("intentd_request", .text(.request), "The position of that interaction's request."),
        .optional(
            "intentd_redrive",
            .text(.nonEmpty),
            "The state that a redriven interaction inherits: digests, as JSON."
        ),
        .optional(
            OutgoingRecord.CutHeader.value,
            .text(Self.number),
            "Size of the event's value in bytes, if only its beginning is included. The whole value is at the "
                + "position that the headers kafka_dlt-original-topic, -partition and -offset give."
        ),
        .optional(
            OutgoingRecord.CutHeader.headers,
            .text(Self.number),
            "Size of the event's headers in bytes, if only those that identify the event are included."
        ),
        .optional(OutgoingRecord.CutHeader.key, .text(Self.number), "Size of the key in bytes, if the key is omitted."),
        .required("kafka_dlt-original-topic", .text(.nonEmpty), "The topic of the event."),
        .required("kafka_dlt-original-partition", .text(Self.number), "The partition of the event."),
        .required("kafka_dlt-original-offset", .text(Self.number), "The offset of the event."),
        .required(
            "kafka_dlt-original-timestamp",
            .text(Self.number),
            "The timestamp of the event, in milliseconds since 1970."
        ),
        .required(
            "kafka_dlt-exception-fqcn",
            .choice(DeadLetterHeaders.errors.map { "intentd.\($0)" }),
            "The error code, for tools."
        ),
        .required("kafka_dlt-exception-message", .text(.nonEmpty), "The error's detail, for tools."),
    ])

    private static let number = TextForm("a whole number", pattern: "^-?[0-9]+$") { Int64($0) != nil }
}
