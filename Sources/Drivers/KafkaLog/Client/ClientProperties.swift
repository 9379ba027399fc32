import CRDKafka
import IntentRuntime

/// The properties of a librdkafka client: the driver's, then the operator's, which take precedence.
struct ClientProperties {
    private var values: [(name: String, value: String)] = []
    private let overrides: [String: String]

    /// Properties that every client has.
    init(_ configuration: KafkaLog.Configuration, role: String) {
        self.overrides = configuration.properties
        self["bootstrap.servers"] = configuration.brokers.joined(separator: ",")
        self["client.id"] = "\(configuration.clientIDPrefix)-\(role)"
        self["socket.nagle.disable"] = "true"
        self["allow.auto.create.topics"] = "false"
        // A broker that comes back is found soon; librdkafka's own maximum is 10 s.
        self["reconnect.backoff.ms"] = "50"
        self["reconnect.backoff.max.ms"] = "1000"
        self["log.connection.close"] = "false"
    }

    /// Properties of a lane's client, which reports its statistics if they are wanted.
    init(_ configuration: KafkaLog.Configuration, laneRole role: String) {
        self.init(configuration, role: role)
        if configuration.metrics != nil {
            self["statistics.interval.ms"] = "\(configuration.statisticsInterval.milliseconds)"
        }
    }

    /// Adds a property of the driver's own; set once.
    subscript(name: String) -> String {
        get { self.values.last { $0.name == name }?.value ?? "" }
        set { self.values.append((name, newValue)) }
    }

    /// Makes librdkafka's configuration, which the caller owns.
    /// - Throws: ``LogError``, `configuration`, naming the property, never its value.
    func makeConfiguration() throws(LogError) -> OpaquePointer {
        guard let configuration = rd_kafka_conf_new() else {
            throw LogError(.other, "librdkafka returned no configuration")
        }
        for (name, value) in self.values where self.overrides[name] == nil || ReservedProperties.reasons[name] != nil {
            try Self.set(name, value, on: configuration)
        }
        for (name, value) in self.overrides.sorted(by: { $0.key < $1.key }) {
            if let reason = ReservedProperties.reasons[name] {
                rd_kafka_conf_destroy(configuration)
                throw LogError(.configuration, "the Kafka property \(name) cannot be set: \(reason)")
            }
            try Self.set(name, value, on: configuration)
        }
        return configuration
    }

    private static func set(_ name: String, _ value: String, on configuration: OpaquePointer) throws(LogError) {
        // librdkafka's message repeats the value, which may be a secret: it is not passed on.
        var message = ErrorText()
        switch rd_kafka_conf_set(configuration, name, value, &message.bytes, message.bytes.count) {
        case RD_KAFKA_CONF_OK:
            return
        case RD_KAFKA_CONF_UNKNOWN:
            rd_kafka_conf_destroy(configuration)
            throw LogError(.configuration, "unknown librdkafka property \(name)")
        default:
            rd_kafka_conf_destroy(configuration)
            throw LogError(.configuration, "librdkafka rejected the value of property \(name)")
        }
    }
}
