internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
package import WireRules

/// The headers of a dead letter, beside those of the original event (R47); its value is the event's bytes, or the part
/// of them that fits.
package enum DeadLetterRule {
    /// The headers; others are the event's own.
    package static let headers = ObjectRule([
        .required("intentd_error", .choice(Self.errors), "The kind of defect."),
        .required("intentd_detail", .text(.nonEmpty), "What is wrong, and what would be right."),
        .optional("intentd_interaction", .text(.nonEmpty), "The id of the interaction that it ended, if it was one's."),
        .optional("intentd_request", .text(.request), "The place of that interaction's request."),
        .optional(
            "intentd_redrive",
            .text(.nonEmpty),
            "JSON of digests: what an interaction that is redriven from it takes over."
        ),
        .optional(
            OutgoingRecord.CutHeader.value,
            .text(Self.number),
            "How many bytes the event's value has, when only the first are here: all of them stand where the headers "
                + "kafka_dlt-original-topic, -partition and -offset say."
        ),
        .optional(
            OutgoingRecord.CutHeader.headers,
            .text(Self.number),
            "How many bytes the event's headers have, when only those that say what it is are here."
        ),
        .optional(OutgoingRecord.CutHeader.key, .text(Self.number), "How many bytes the key has that is left out."),
        .required("kafka_dlt-original-topic", .text(.nonEmpty), "Where the event stood."),
        .required("kafka_dlt-original-partition", .text(Self.number), "In which partition."),
        .required("kafka_dlt-original-offset", .text(Self.number), "At which offset."),
        .required("kafka_dlt-original-timestamp", .text(Self.number), "Its timestamp, in milliseconds since 1970."),
        .required("kafka_dlt-exception-fqcn", .choice(Self.errors.map { "intentd.\($0)" }), "The kind, for tools."),
        .required("kafka_dlt-exception-message", .text(.nonEmpty), "The detail, for tools."),
    ])

    private static let errors = EventDecodingError.Code.allCases.map(\.rawValue) + ["handlerFailed", "stateUnreadable"]

    private static let number = TextForm("a whole number", pattern: "^-?[0-9]+$") { Int64($0) != nil }
}
