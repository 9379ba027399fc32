/// The keys of log metadata, labels of metrics and attributes of spans, each in one place and the same everywhere: dotted,
/// lower case, and OpenTelemetry's where its conventions have one.
///
/// `public` and inlined, since labels are told with every batch.
public enum TelemetryKey {
    // MARK: What is spoken of

    /// A stage.
    @inlinable public static var stage: String { "stage" }
    /// A lane's name.
    @inlinable public static var lane: String { "lane" }
    /// How many lanes a stage has.
    @inlinable public static var lanes: String { "lanes" }
    /// A worker's name.
    @inlinable public static var worker: String { "worker" }
    /// The worker whose registry is another.
    @inlinable public static var otherWorker: String { "worker.other" }
    /// When that worker was heard of.
    @inlinable public static var otherSeen: String { "worker.other.seen" }
    /// What a process does.
    @inlinable public static var role: String { "role" }
    /// What a process does, where it does several things.
    @inlinable public static var roles: String { "roles" }
    /// An intent's name.
    @inlinable public static var intent: String { "intent" }
    /// Intents, or what is different of them.
    @inlinable public static var intents: String { "intents" }
    /// An interaction's id.
    @inlinable public static var interaction: String { "interaction.id" }
    /// A handler's name.
    @inlinable public static var handler: String { "handler.name" }
    /// A handler's version.
    @inlinable public static var handlerVersion: String { "handler.version" }
    /// The event of a turn, `topic/partition/offset`.
    @inlinable public static var event: String { "event.position" }
    /// Which try of a turn it was.
    @inlinable public static var attempt: String { "turn.attempt" }
    /// What a turn came to.
    @inlinable public static var outcome: String { "outcome" }
    /// With which code an interaction ended.
    @inlinable public static var code: String { "code" }
    /// Why an interaction ended.
    @inlinable public static var endReason: String { "end_reason" }
    /// Whether what has failed is not tried again.
    @inlinable public static var isFinal: String { "final" }
    /// What became of a transaction.
    @inlinable public static var result: String { "result" }

    // MARK: Errors

    /// What an error says.
    @inlinable public static var errorMessage: String { "error.message" }
    /// What kind of error it is.
    @inlinable public static var errorType: String { "error.type" }
    /// How often it has failed in a row.
    @inlinable public static var failures: String { "error.count" }
    /// How long until it is tried again, in milliseconds.
    @inlinable public static var retryDelay: String { "retry.delay" }
    /// When it is tried again.
    @inlinable public static var retryAt: String { "retry.at" }
    /// How many processes have died.
    @inlinable public static var deaths: String { "crash.deaths" }
    /// The signal by which a process died.
    @inlinable public static var signal: String { "crash.signal" }
    /// The turns that were running when a process died.
    @inlinable public static var turns: String { "crash.turns" }
    /// How many turns there are.
    @inlinable public static var turnCount: String { "crash.count" }

    // MARK: The log

    /// A topic.
    @inlinable public static var topic: String { "messaging.destination.name" }
    /// A consumer group.
    @inlinable public static var group: String { "messaging.consumer.group.name" }
    /// An offset.
    @inlinable public static var offset: String { "messaging.kafka.offset" }
    /// A partition of a topic.
    @inlinable public static var partition: String { "log.partition" }
    /// Partitions of topics.
    @inlinable public static var partitions: String { "log.partitions" }
    /// The offset behind a stretch.
    @inlinable public static var to: String { "log.to" }
    /// Where a partition ends for its readers.
    @inlinable public static var end: String { "log.end" }
    /// How many offsets stand behind one.
    @inlinable public static var behind: String { "log.behind" }
    /// A record's key.
    @inlinable public static var recordKey: String { "record.key" }
    /// Who wrote a record.
    @inlinable public static var recordSource: String { "record.source" }
    /// A transactional id.
    @inlinable public static var transaction: String { "transaction.id" }
    /// How long a producer asked that a transaction may stay open.
    @inlinable public static var transactionTimeoutAsked: String { "transaction.timeout.asked" }
    /// How long a transaction may stay open.
    @inlinable public static var transactionTimeout: String { "transaction.timeout" }
    /// How long a transaction has been open.
    @inlinable public static var transactionAge: String { "transaction.age" }
    /// A client of Kafka, as it calls itself.
    @inlinable public static var clientID: String { "messaging.client.id" }
    /// The part of the client library that says something.
    @inlinable public static var facility: String { "kafka.facility" }

    // MARK: State, files, and the rest

    /// A state entry's key.
    @inlinable public static var stateKey: String { "state.key" }
    /// How many entries were read back.
    @inlinable public static var stateRead: String { "state.read" }
    /// How long something has taken, or goes on.
    @inlinable public static var seconds: String { "seconds" }
    /// How many there are.
    @inlinable public static var count: String { "count" }
    /// A limit that was reached.
    @inlinable public static var limit: String { "limit.name" }
    /// Where that limit is.
    @inlinable public static var limitValue: String { "limit.value" }
    /// A file or a directory.
    @inlinable public static var path: String { "file.path" }
    /// Files in a directory.
    @inlinable public static var files: String { "file.names" }
    /// Who may do what with a file.
    @inlinable public static var fileMode: String { "file.mode" }
    /// The time before which records are removed.
    @inlinable public static var before: String { "records.before" }
    /// How many rows were removed.
    @inlinable public static var rows: String { "records.rows" }
    /// How many effects were removed.
    @inlinable public static var effects: String { "records.effects" }
    /// How many notes of ended interactions were removed.
    @inlinable public static var ends: String { "records.ends" }
    /// A client of the embedded broker.
    @inlinable public static var client: String { "client.address" }
    /// Addresses of brokers.
    @inlinable public static var brokers: String { "brokers" }
    /// Where something listens.
    @inlinable public static var address: String { "server.address" }
    /// The port at which something listens.
    @inlinable public static var port: String { "server.port" }
    /// The version of the program.
    @inlinable public static var version: String { "version" }
    /// The commit of which the program was built.
    @inlinable public static var commit: String { "commit" }
}
