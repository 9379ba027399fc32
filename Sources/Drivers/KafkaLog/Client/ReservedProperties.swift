import CRDKafka

/// librdkafka's properties that the driver's guarantees depend on, so that an operator cannot set them.
enum ReservedProperties {
    private static let addresses = "the setting `brokers` sets the addresses"
    private static let names =
        "intentd sets the names of groups, members and transactions itself, since fencing depends on them"
    private static let offsets = "offsets are committed in one transaction with the records' outputs (R2)"
    private static let producing = "every record is written exactly once, and its acknowledgement is awaited"

    private static let assignment = "a lane must get the same partition of all its topics"

    /// Why each cannot be set, by librdkafka's names and their aliases.
    static let reasons: [String: String] = [
        "bootstrap.servers": addresses,
        "metadata.broker.list": addresses,
        "group.id": names,
        "group.instance.id": names,
        "group.protocol.type": names,
        "transactional.id": names,
        "enable.auto.commit": offsets,
        "auto.commit.enable": offsets,
        "auto.commit.interval.ms": offsets,
        "enable.auto.offset.store": offsets,
        "offset.store.method": offsets,
        "offset.store.path": offsets,
        "auto.offset.reset":
            "intentd sets the positions itself; an offset out of range is an error, since events could otherwise be "
            + "lost or processed twice without notice",
        "isolation.level": "only committed records are read",
        "enable.idempotence": producing,
        "enable.gapless.guarantee": producing,
        "acks": producing,
        "request.required.acks": producing,
        "delivery.report.only.error": producing,
        "transaction.timeout.ms": "a worker that crashes blocks all readers for that long",
        "statistics.interval.ms":
            "lanes request statistics themselves and report them as metrics; in other clients they would accumulate",
        "partition.assignment.strategy": assignment,
        "group.protocol": assignment,
        "group.remote.assignor": assignment,
        "enable.partition.eof": "intentd detects the end of a partition with it",
        "allow.auto.create.topics":
            "topics are created with `intentd topics create`, all with the same number of partitions (R6)",
    ]
}

extension KafkaLog {
    /// Why a property cannot be set, in words that follow its name; nil when it can.
    ///
    /// The value, which may be a secret, is never repeated.
    package static func objection(to name: String, value: String) -> String? {
        if let reason = ReservedProperties.reasons[name] { return "cannot be set: \(reason)" }
        // librdkafka takes any text for it, and fails when it connects.
        if name == "sasl.mechanism" || name == "sasl.mechanisms", !Self.mechanisms.contains(value) {
            return "must be one of \(Self.mechanisms.joined(separator: ", "))"
        }
        guard let scratch = rd_kafka_conf_new() else { return nil }
        defer { rd_kafka_conf_destroy(scratch) }
        var message = ErrorText()
        return switch rd_kafka_conf_set(scratch, name, value, &message.bytes, message.bytes.count) {
        case RD_KAFKA_CONF_OK: nil
        case RD_KAFKA_CONF_UNKNOWN: "is not a property of librdkafka"
        default: "does not accept this value"
        }
    }

    /// The names of librdkafka's properties.
    package static var propertyNames: [String] {
        guard let scratch = rd_kafka_conf_new() else { return [] }
        defer { rd_kafka_conf_destroy(scratch) }
        var count = 0
        guard let pairs = rd_kafka_conf_dump(scratch, &count) else { return [] }
        defer { rd_kafka_conf_dump_free(pairs, count) }
        // Names and values take turns; what has no value by itself may be left out.
        let names = stride(from: 0, to: count, by: 2).compactMap { pairs[$0].map { String(cString: $0) } }
        return Set(names).union(ReservedProperties.reasons.keys).sorted()
    }

    private static let mechanisms = ["GSSAPI", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"]
}
