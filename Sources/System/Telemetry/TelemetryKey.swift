/// The keys of log metadata, labels of metrics and attributes of spans, defined in one place and the same everywhere.
///
/// They are dotted and lower case, and OpenTelemetry's where its conventions have one. `public` and inlined, since
/// labels are written with every batch.
public enum TelemetryKey {
    // MARK: What is spoken of

    @inlinable public static var stage: String { "stage" }
    @inlinable public static var lane: String { "lane" }
    /// The number of a stage's lanes.
    @inlinable public static var lanes: String { "lanes" }
    @inlinable public static var worker: String { "worker" }
    /// The worker whose registry is another.
    @inlinable public static var otherWorker: String { "worker.other" }
    /// The time at which that worker was last seen.
    @inlinable public static var otherSeen: String { "worker.other.seen" }
    /// The role of a process.
    @inlinable public static var role: String { "role" }
    /// The roles of a process that has several.
    @inlinable public static var roles: String { "roles" }
    @inlinable public static var intent: String { "intent" }
    /// Intents, or the differences between them.
    @inlinable public static var intents: String { "intents" }
    @inlinable public static var interaction: String { "interaction.id" }
    @inlinable public static var handler: String { "handler.name" }
    @inlinable public static var handlerVersion: String { "handler.version" }
    /// The event of a turn, `topic/partition/offset`.
    @inlinable public static var event: String { "event.position" }
    /// The number of a turn's attempt.
    @inlinable public static var attempt: String { "turn.attempt" }
    /// The outcome of a turn.
    @inlinable public static var outcome: String { "outcome" }
    /// The code with which an interaction ended.
    @inlinable public static var code: String { "code" }
    /// The state of an interaction that a part of its time belongs to.
    @inlinable public static var part: String { "part" }
    @inlinable public static var endReason: String { "end_reason" }
    /// Whether a failure is final, so that there is no further attempt.
    @inlinable public static var isFinal: String { "final" }
    /// The result of a transaction, or of a question to a vocabulary.
    @inlinable public static var result: String { "result" }
    /// The kind of a question to a vocabulary.
    @inlinable public static var kind: String { "kind" }
    /// What is wrong with a member of a client's event.
    @inlinable public static var problem: String { "problem" }
    /// The state of the calls of a handler.
    @inlinable public static var state: String { "state" }
    @inlinable public static var promptKind: String { "prompt.kind" }
    /// The id of the trace to which something belongs.
    @inlinable public static var traceID: String { "trace_id" }

    // MARK: Errors

    @inlinable public static var errorMessage: String { "error.message" }
    @inlinable public static var errorType: String { "error.type" }
    /// The type of an error that happened in a span.
    @inlinable public static var exceptionType: String { "exception.type" }
    /// The number of failures in a row.
    @inlinable public static var failures: String { "error.count" }
    /// The delay until the next attempt, in milliseconds.
    @inlinable public static var retryDelay: String { "retry.delay" }
    /// The time of the next attempt.
    @inlinable public static var retryAt: String { "retry.at" }
    /// The number of processes that have crashed.
    @inlinable public static var deaths: String { "crash.deaths" }
    /// The signal by which a process crashed.
    @inlinable public static var signal: String { "crash.signal" }
    /// Where a process crashed: instruction, address, thread.
    @inlinable public static var crashSite: String { "crash.site" }
    /// The turns that were running when a process crashed.
    @inlinable public static var turns: String { "crash.turns" }
    /// The number of turns.
    @inlinable public static var turnCount: String { "crash.count" }

    // MARK: The log

    /// The messaging system; always Kafka.
    @inlinable public static var messagingSystem: String { "messaging.system" }
    /// What is done with a message.
    @inlinable public static var operation: String { "messaging.operation.name" }
    /// The type of what is done with a message.
    @inlinable public static var operationType: String { "messaging.operation.type" }
    @inlinable public static var messageID: String { "messaging.message.id" }
    /// The partition from which a message was read.
    @inlinable public static var messagePartition: String { "messaging.destination.partition.id" }
    /// The number of messages that are sent together.
    @inlinable public static var messageCount: String { "messaging.batch.message_count" }
    @inlinable public static var topic: String { "messaging.destination.name" }
    @inlinable public static var group: String { "messaging.consumer.group.name" }
    @inlinable public static var offset: String { "messaging.kafka.offset" }
    /// The offset up to which a state includes its input.
    @inlinable public static var stateOffset: String { "state.offset" }
    @inlinable public static var partition: String { "log.partition" }
    @inlinable public static var partitions: String { "log.partitions" }
    /// The offset after a range.
    @inlinable public static var to: String { "log.to" }
    /// The end of a partition for its readers.
    @inlinable public static var end: String { "log.end" }
    /// The number of records after an offset.
    @inlinable public static var behind: String { "log.behind" }
    @inlinable public static var recordKey: String { "record.key" }
    @inlinable public static var recordSource: String { "record.source" }
    @inlinable public static var transaction: String { "transaction.id" }
    /// The time-out that a producer asked for its transactions.
    @inlinable public static var transactionTimeoutAsked: String { "transaction.timeout.asked" }
    /// The longest that a transaction may stay open.
    @inlinable public static var transactionTimeout: String { "transaction.timeout" }
    /// The time for which a transaction has been open.
    @inlinable public static var transactionAge: String { "transaction.age" }
    /// A Kafka client's own name.
    @inlinable public static var clientID: String { "messaging.client.id" }
    /// The part of the client library that logs.
    @inlinable public static var facility: String { "kafka.facility" }

    // MARK: State, files, and the rest

    @inlinable public static var stateKey: String { "state.key" }
    /// The number of entries that were read back.
    @inlinable public static var stateRead: String { "state.read" }
    /// The time that something has taken so far or in total.
    @inlinable public static var seconds: String { "seconds" }
    /// A number of things.
    @inlinable public static var count: String { "count" }
    /// A limit that was reached.
    @inlinable public static var limit: String { "limit.name" }
    /// The value of that limit.
    @inlinable public static var limitValue: String { "limit.value" }
    /// A file or a directory.
    @inlinable public static var path: String { "file.path" }
    /// Files in a directory.
    @inlinable public static var files: String { "file.names" }
    /// The permissions of a file.
    @inlinable public static var fileMode: String { "file.mode" }
    /// The time before which records are removed.
    @inlinable public static var before: String { "records.before" }
    /// The number of rows that were removed.
    @inlinable public static var rows: String { "records.rows" }
    /// The number of effects that were removed.
    @inlinable public static var effects: String { "records.effects" }
    /// The number of notes of ended interactions that were removed.
    @inlinable public static var ends: String { "records.ends" }
    /// A client of the embedded broker or of an HTTP server.
    @inlinable public static var client: String { "client.address" }
    /// The number of connections that were closed for new ones.
    @inlinable public static var connectionsReplaced: String { "connections.replaced" }
    /// The number of connections that were refused.
    @inlinable public static var connectionsRefused: String { "connections.refused" }
    /// The path of a route of the gateway, with the names of its variables.
    @inlinable public static var httpRoute: String { "http.route" }
    @inlinable public static var httpMethod: String { "http.request.method" }
    @inlinable public static var httpStatus: String { "http.response.status_code" }
    /// Why a token was refused.
    @inlinable public static var refusal: String { "token.refusal" }
    /// Whose limit a request has reached: the user's or the client's, in rate or in concurrency.
    @inlinable public static var limitName: String { "limit.name" }
    @inlinable public static var brokers: String { "brokers" }
    /// The address at which something listens.
    @inlinable public static var address: String { "server.address" }
    /// The port at which something listens.
    @inlinable public static var port: String { "server.port" }
    /// The version of the program.
    @inlinable public static var version: String { "version" }
    /// The commit from which the program was built.
    @inlinable public static var commit: String { "commit" }
}
