import CRDKafka
import IntentEvents
import IntentRuntime

/// The log's queries about topics and offsets, on a thread of their own.
actor KafkaAdmin {
    private let thread = OwnThread(name: "intentd-admin")
    private let configuration: KafkaLog.Configuration
    private var clients: [String: KafkaClient] = [:]
    private var isClosed = false

    /// The actor's own thread.
    nonisolated var unownedExecutor: UnownedSerialExecutor { self.thread.asUnownedSerialExecutor() }

    /// The time-out of a query.
    var timeout: Duration { self.configuration.requestTimeout }

    var clientIDPrefix: String { self.configuration.clientIDPrefix }

    /// Describes the connection; it is made with the first query.
    init(_ configuration: KafkaLog.Configuration) { self.configuration = configuration }

    /// A client that sees partitions as readers of this isolation level do.
    ///
    /// The client's isolation level decides what "the end" is.
    /// - Throws: ``LogError``, `closed`, `configuration`.
    func client(isolation: String = "read_committed") throws(LogError) -> KafkaClient {
        // Nobody joins this group. Without one librdkafka crashes when the coordinator of the queried group has moved,
        // or is not there yet: it then looks for the coordinator of the client's own group.
        try self.client(of: "\(self.configuration.clientIDPrefix)-admin", isolation: isolation)
    }

    /// A client that queries a group's offsets; it never joins the group.
    ///
    /// It waits for the offsets of transactions that are being committed, as readers of committed records do.
    /// - Throws: ``LogError``, `closed`, `configuration`.
    func client(of group: GroupName) throws(LogError) -> KafkaClient {
        try self.client(of: group.text, isolation: "read_committed")
    }

    /// Makes the next query about a group use a new client.
    func forget(_ group: GroupName) { self.clients[Self.key(group.text, "read_committed")] = nil }

    /// A client that asks one broker, which is not kept.
    /// - Throws: ``LogError``, `configuration`.
    func client(at broker: String) throws(LogError) -> KafkaClient {
        var configuration = self.configuration
        configuration.brokers = [broker]
        return try Self.makeClient(configuration, group: "\(configuration.clientIDPrefix)-admin")
    }

    private static func key(_ group: String, _ isolation: String) -> String { "\(isolation)/\(group)" }

    private func client(of group: String, isolation: String) throws(LogError) -> KafkaClient {
        guard !self.isClosed else { throw LogError(.closed, "the log was closed") }
        let key = Self.key(group, isolation)
        if let client = self.clients[key] { return client }
        let client = try Self.makeClient(self.configuration, group: group, isolation: isolation)
        self.clients[key] = client
        return client
    }

    private static func makeClient(
        _ configuration: KafkaLog.Configuration,
        group: String,
        isolation: String = "read_committed"
    ) throws(LogError) -> KafkaClient {
        var properties = ClientProperties(configuration, role: "admin")
        properties["isolation.level"] = isolation
        properties["group.id"] = group
        let context = ClientContext(configuration, role: "admin")
        return try KafkaClient(RD_KAFKA_CONSUMER, properties: properties, context: context)
    }

    /// Checks that all partitions exist.
    /// - Throws: ``LogError``, `unknownTopic`, `unavailable`.
    func check(_ partitions: [TopicPartition]) throws(LogError) {
        try self.client().check(partitions, timeout: self.timeout)
    }

    /// Frees the connections; those of a call that still waits for an answer are freed when it returns.
    nonisolated func close() async {
        _ = await Watchdog.run(limit: .seconds(1)) {
            await self.shutDown()
            await self.thread.stop()
        }
    }

    private func shutDown() {
        self.isClosed = true
        self.clients = [:]
    }
}
