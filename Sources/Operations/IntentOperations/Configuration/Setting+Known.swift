internal import IntentRuntime

extension Setting {
    package static let brokers = Setting(
        "brokers",
        .list(of: .serverAddress),
        default: nil,
        "Addresses of Kafka brokers, HOST:PORT."
    )
    package static let prefix = Setting(
        "prefix",
        .topicPrefix,
        default: .text("intents"),
        "What the topics' names begin with."
    )
    package static let data = Setting("data", .path, default: .text("var"), "The directory for this machine's files.")
    package static let definitions = Setting(
        "definitions",
        .list(of: .path),
        default: nil,
        "More files of declared intents."
    )
    package static let vocabularies = Setting(
        "vocabularies",
        .path,
        default: .text("config/vocabularies"),
        "The directory of global vocabularies, one AppIntentVocabulary file a language."
    )
    package static let logLevel = Setting(
        "logLevel",
        .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
        default: nil,
        "What is logged; info for work and up, warning for the others."
    )
    package static let logFormat = Setting(
        "logFormat",
        .choice(["text", "json"]),
        default: .text("text"),
        "How log lines are written: for people, or one JSON object a line."
    )
    package static let monitoringListen = Setting(
        "monitoring.listen",
        .listenAddress,
        default: .listen(Monitoring.usualAddress),
        "Where metrics and health are told over HTTP, HOST:PORT; none for nowhere."
    )
    static let monitoringHosts = Setting(
        "monitoring.hosts",
        .list(of: .hostName),
        default: nil,
        "Names by which metrics and health may be asked for, besides addresses, localhost and the host of listen."
    )
    package static let consoleListen = Setting(
        "console.listen",
        .listenAddress,
        default: .listen(.usualConsole),
        "Where up and console serve pages over HTTP, HOST:PORT; none for nowhere."
    )
    package static let consoleTraceUrl = Setting(
        "console.traceUrl",
        .traceLink,
        default: nil,
        "Where a tracing tool shows a trace: the console links to it, with the trace's id for {trace}."
    )
    package static let tracingSample = Setting(
        "tracing.sample",
        .share,
        default: nil,
        "The share of requests that are traced, beside those that their clients have sampled; none are without it."
    )
    static let tracingEndpoint = Setting(
        "tracing.endpoint",
        .httpAddress,
        default: .text("http://127.0.0.1:4318"),
        "The collector that spans are sent to, as OTLP over HTTP; /v1/traces is added."
    )
    package static let topicsPartitions = Setting(
        "topics.partitions",
        .integer(1...10_000),
        default: .integer(8),
        "Partitions of each topic when it is made."
    )
    package static let topicsReplicationFactor = Setting(
        "topics.replicationFactor",
        .integer(1...100),
        default: nil,
        "Copies of each topic when it is made; by default one on each broker, up to three."
    )
    package static let topicsMinInsyncReplicas = Setting(
        "topics.minInsyncReplicas",
        .integer(1...100),
        default: nil,
        "Copies that a write needs; by default two, where there are as many."
    )
    package static let topicsRetentionDays = Setting(
        "topics.retentionDays",
        .integer(1...36_500),
        default: .integer(30),
        "Days that requests and journal are kept."
    )
    static let requestsDedupeWindow = Setting(
        "requests.dedupeWindow",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(3_600)),
        "How long the same request counts as the client's retry."
    )
    static let promptsMaxAttempts = Setting(
        "prompts.maxAttempts",
        .integer(1...100),
        default: .integer(3),
        "Answers that may fail to settle a parameter."
    )
    static let promptsTimeout = Setting(
        "prompts.timeout",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(300)),
        "How long a prompt waits for its answer."
    )
    static let promptsDirectory = Setting(
        "prompts.directory",
        .path,
        default: .text("config/prompts"),
        "The directory of what is said at prompts, one file a language."
    )
    static let interactionsMaxTurns = Setting(
        "interactions.maxTurns",
        .integer(1...10_000),
        default: .integer(50),
        "Turns that an interaction may take."
    )
    static let interactionsMaxAge = Setting(
        "interactions.maxAge",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(86_400)),
        "How long an interaction may take."
    )
    static let interactionsParkedMaxAge = Setting(
        "interactions.parkedMaxAge",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(604_800)),
        "How long one may wait for an unlocked device or a sign-in."
    )
    static let handlersConcurrency = Setting(
        "handlers.concurrency",
        .integer(1...10_000),
        default: .integer(64),
        "Users whose turns run at once in a lane."
    )
    static let handlersInProgressAfter = Setting(
        "handlers.inProgressAfter",
        .duration(atLeast: .milliseconds(1)),
        default: .duration(.seconds(2)),
        "When the user is told that it takes longer."
    )
    static let handlersTimeout = Setting(
        "handlers.timeout",
        .duration(atLeast: .milliseconds(1)),
        default: .duration(.seconds(300)),
        "When a handler is cancelled."
    )
    static let handlersMaxCrashes = Setting(
        "handlers.maxCrashes",
        .integer(1...100),
        default: .integer(3),
        "Processes that may die while a turn runs before it runs alone."
    )
    static let appTimeout = Setting(
        "app.timeout",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(600)),
        "How long the app has to finish what was handed to it."
    )
    package static let samples = Setting(
        "samples",
        .choice(["true", "false"]),
        default: .text("false"),
        "Whether the sample apps are served beside the program's own intents."
    )
    package static let messagesApp = Setting(
        "messages.app",
        .choice(["UnicornChat", "Hairdressers"]),
        default: .text("UnicornChat"),
        "Which of the sample apps sends messages."
    )
    static let batchMaxRecords = Setting(
        "batch.maxRecords",
        .integer(1...100_000),
        default: .integer(1_000),
        "Records that a batch takes at most."
    )
    static let batchMaxDelay = Setting(
        "batch.maxDelay",
        .duration(atLeast: .milliseconds(1)),
        default: .duration(.milliseconds(100)),
        "How long a batch waits for its turns at most."
    )
    static let stateMemory = Setting(
        "state.memory",
        .integer(1...1_048_576),
        default: .integer(256),
        "About how many MiB of its users' state a lane keeps in memory; the rest waits in its file."
    )
    static let readingStalledAfter = Setting(
        "reading.stalledAfter",
        formerly: "reading.standsAfter",
        .duration(atLeast: .seconds(5)),
        default: .duration(.seconds(60)),
        "When a lane that stands although there is more to read is told of, as an error."
    )
    package static let readingOpenTransactionAfter = Setting(
        "reading.openTransactionAfter",
        formerly: "reading.heldUpAfter",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(5)),
        "When an open transaction that holds readers up is told of, as a warning."
    )
    package static let delivery = Setting(
        "delivery",
        .choice(["exactly-once", "at-least-once"]),
        default: .text("exactly-once"),
        "Whether a batch is one transaction."
    )
    static let formatsWrite = Setting(
        "formats.write",
        .integer(RecordFormats.current.reads),
        default: .integer(RecordFormats.current.writes),
        "The format in which workers write for each other."
    )
    package static let ledger = Setting(
        "ledger",
        .choiceOrAddress(["sqlite", "none"]),
        default: .text("sqlite"),
        "Where effects are kept to once each: sqlite, none, or an address such as postgresql://host/database."
    )
    static let recordsRetentionDays = Setting(
        "records.retentionDays",
        .integer(1...36_500),
        default: nil,
        "Days that records and effects are kept; all are without it."
    )
    package static let auditKeyFile = Setting(
        "audit.keyFile",
        .path,
        default: nil,
        "The file with the private key that signs anchors and cuts."
    )
    static let auditAnchorEvery = Setting(
        "audit.anchorEvery",
        .duration(atLeast: .seconds(1)),
        default: nil,
        "How often who records also anchors the chains; not at all without it."
    )
    static let auditAnchors = Setting(
        "audit.anchors",
        .path,
        default: nil,
        "The directory of anchors; anchors in the data directory without it."
    )
    package static let restrictedWhileLocked = Setting(
        "restrictedWhileLocked",
        .list(of: .text),
        default: nil,
        "Intents that wait for an unlocked device."
    )

    static let brokerTransactionMaxTimeout = Setting(
        "broker.transactionMaxTimeout",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(15)),
        "How long a transaction may stay open on the embedded broker."
    )
    static let brokerConnectionsMaxIdle = Setting(
        "broker.connectionsMaxIdle",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(600)),
        "When the embedded broker closes a connection on which nothing happens."
    )
    static let brokerDeletions = Setting(
        "broker.deletions",
        .choice(["allowed", "refused"]),
        default: .text("allowed"),
        "Whether clients of the embedded broker may delete topics, records and groups."
    )

    /// All settings, in the order in which they are shown.
    ///
    /// In addition there are `intents.<name>.confirmation` and `kafka.<property>`, see ``ConfigurationReader``.
    package static let all: [Setting] = [
        .brokers, .prefix, .data, .definitions, .vocabularies, .logLevel, .logFormat, .monitoringListen,
        .monitoringHosts, .consoleListen,
        .consoleTraceUrl, .tracingSample, .tracingEndpoint, .topicsPartitions, .topicsReplicationFactor,
        .topicsMinInsyncReplicas, .topicsRetentionDays,
        .requestsDedupeWindow, .promptsMaxAttempts,
        .promptsTimeout, .promptsDirectory,
        .interactionsMaxTurns, .interactionsMaxAge, .interactionsParkedMaxAge, .handlersConcurrency,
        .handlersInProgressAfter, .handlersTimeout, .handlersMaxCrashes, .appTimeout, .samples, .messagesApp,
        .batchMaxRecords, .batchMaxDelay, .stateMemory, .readingStalledAfter,
        .readingOpenTransactionAfter, .delivery, .formatsWrite, .ledger, .recordsRetentionDays, .auditKeyFile,
        .auditAnchorEvery, .auditAnchors,
        .restrictedWhileLocked, .brokerTransactionMaxTimeout, .brokerConnectionsMaxIdle, .brokerDeletions,
    ]
}
