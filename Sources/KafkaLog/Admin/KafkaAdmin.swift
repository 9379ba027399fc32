import CRDKafka
import IntentEvents
import IntentRuntime

/// The log's questions about topics and offsets, on a thread of their own.
actor KafkaAdmin {
    private let thread = OwnThread(name: "intentd-admin")
    private let configuration: KafkaLog.Configuration
    private var clients: [String: KafkaClient] = [:]
    private var isClosed = false

    /// The thread.
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        self.thread.asUnownedSerialExecutor()
    }

    /// How long a question may take.
    var timeout: Duration { self.configuration.requestTimeout }

    /// What client ids begin with.
    var clientIDPrefix: String { self.configuration.clientIDPrefix }

    /// Describes the connection; it is made with the first question.
    init(_ configuration: KafkaLog.Configuration) {
        self.configuration = configuration
    }

    deinit {
        self.clients = [:]
    }

    /// A client that sees partitions as readers of this isolation level do.
    ///
    /// The level is the client's, and decides what "the end" is.
    /// - Throws: ``LogError``, `closed`, `configuration`.
    func client(isolation: String = "read_committed") throws(LogError) -> KafkaClient {
        guard !self.isClosed else {
            throw LogError(.closed, "the log was closed")
        }
        // Nobody joins it. Without one librdkafka crashes when the coordinator of the group that is asked about has moved,
        // or is not there yet: it then looks for the coordinator of the client's own group, unasked.
        return try self.client(of: "\(self.configuration.clientIDPrefix)-admin", isolation: isolation)
    }

    /// A client that may ask for a group's offsets; it never joins the group.
    ///
    /// It waits for the offsets of transactions that are just being committed, as readers of what is committed do.
    /// - Throws: ``LogError``, `closed`, `configuration`.
    func client(of group: GroupName) throws(LogError) -> KafkaClient {
        guard !self.isClosed else {
            throw LogError(.closed, "the log was closed")
        }
        return try self.client(of: group.text, isolation: "read_committed")
    }

    /// Has the next question about a group made by a new client.
    func forget(_ group: GroupName) { self.clients[Self.key(group.text, "read_committed")] = nil }

    private static func key(_ group: String, _ isolation: String) -> String { "\(isolation)/\(group)" }

    private func client(of group: String, isolation: String) throws(LogError) -> KafkaClient {
        let key = Self.key(group, isolation)
        if let client = self.clients[key] {
            return client
        }
        var properties = ClientProperties(self.configuration, role: "admin")
        properties["isolation.level"] = isolation
        properties["group.id"] = group
        let context = ClientContext(
            logger: self.configuration.logger,
            brokers: self.configuration.brokers,
            role: "admin"
        )
        let client = try KafkaClient(RD_KAFKA_CONSUMER, properties: properties, context: context)
        self.clients[key] = client
        return client
    }

    /// Checks that all partitions exist.
    /// - Throws: ``LogError``, `unknownTopic`, `unavailable`.
    func check(_ partitions: [TopicPartition]) throws(LogError) {
        let known = try self.client().topics(timeout: self.timeout)
        for topicPartition in partitions {
            guard let topic = known[topicPartition.topic], 0..<topic.partitions ~= topicPartition.partition else {
                throw LogError(.unknownTopic, "there is no partition \(topicPartition)")
            }
        }
    }

    /// Frees the connections.
    nonisolated func close() async {
        await self.shutDown()
        await self.thread.stop()
    }

    private func shutDown() {
        self.isClosed = true
        self.clients = [:]
    }
}
