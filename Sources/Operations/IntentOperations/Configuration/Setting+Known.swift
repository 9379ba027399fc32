internal import IntentEvents
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
        "The prefix of topic names."
    )
    package static let data = Setting("data", .path, default: .text("var"), "The directory for this machine's files.")
    package static let definitions = Setting(
        "definitions",
        .list(of: .path),
        default: nil,
        "Further files of declared intents."
    )
    package static let vocabularies = Setting(
        "vocabularies",
        .path,
        default: .text("config/vocabularies"),
        "The directory of global vocabularies, one AppIntentVocabulary file per language."
    )
    package static let logLevel = Setting(
        "logLevel",
        .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
        default: nil,
        "The log level. The default is info for work and up, and warning for other commands."
    )
    package static let logFormat = Setting(
        "logFormat",
        .choice(["text", "json"]),
        default: .text("text"),
        "The log format: text, or one JSON object per line."
    )
    package static let monitoringListen = Setting(
        "monitoring.listen",
        .listenAddress,
        default: .listen(Monitoring.usualAddress),
        "Listen address for metrics and health checks, HOST:PORT; none disables it."
    )
    static let monitoringHosts = Setting(
        "monitoring.hosts",
        .list(of: .hostName),
        default: nil,
        "Host names accepted by the metrics and health endpoints, in addition to IP addresses, localhost, and the host of monitoring.listen."
    )
    package static let consoleListen = Setting(
        "console.listen",
        .listenAddress,
        default: .listen(.usualConsole),
        "Listen address of the console for up and console, HOST:PORT; none disables it."
    )
    package static let consoleTraceUrl = Setting(
        "console.traceUrl",
        .traceLink,
        default: nil,
        "URL of a trace in a tracing tool, with {trace} for the trace id. The console links to it."
    )
    package static let consoleGateway = Setting(
        "console.gateway",
        .secureAddress,
        default: nil,
        "URL of the gateway through which the console holds conversations. Unset, up uses its own gateway, and console none."
    )
    package static let consoleGatewayToken = Setting(
        "console.gatewayToken",
        .secretSource,
        default: nil,
        "Where the console's token for the gateway is: env:NAME or file:PATH. Its scopes: intents.ask, intents.answer, intents.act-as."
    )
    package static let gatewayListen = Setting(
        "gateway.listen",
        .listenAddress,
        default: .listen(.usualGateway),
        "Listen address of the gateway for up and gateway, HOST:PORT; none disables it."
    )
    package static let gatewayPublicURL = Setting(
        "gateway.publicUrl",
        .httpAddress,
        default: nil,
        "URL of the gateway for its clients, for the links that it sends. The default is that of the request's host."
    )
    package static let gatewayKeys = Setting(
        "gateway.keys",
        .keySource,
        default: nil,
        "The issuer's public keys (JWKS): a file, or a URL of https. Without it the gateway serves this machine only."
    )
    package static let gatewayIssuer = Setting(
        "gateway.issuer",
        .text,
        default: nil,
        "The issuer of accepted tokens, exactly as in their claim iss."
    )
    package static let gatewayAudience = Setting(
        "gateway.audience",
        .list(of: .text),
        default: nil,
        "The audiences of accepted tokens; a token names one of them in its claim aud."
    )
    package static let gatewayClockSkew = Setting(
        "gateway.clockSkew",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(30)),
        "How far the issuer's clock may differ from this machine's."
    )
    package static let gatewayUserClaim = Setting(
        "gateway.claims.user",
        .text,
        default: .text("sub"),
        "The claim of a token with the user's id."
    )
    package static let gatewayAuthenticatedClaim = Setting(
        "gateway.claims.authenticated",
        .text,
        default: nil,
        "The claim that is true if the user is signed in. Without it every user with a token is."
    )
    package static let gatewayAuthorizationClaim = Setting(
        "gateway.claims.authorization",
        .text,
        default: nil,
        "The claim with the user's authorization: notDetermined, restricted, denied or authorized. Without it: authorized."
    )
    package static let gatewayAgents = Setting(
        "gateway.agents",
        .list(of: .text),
        default: nil,
        "Clients that are agents: client ids, or claims as NAME=VALUE. Agents do not confirm what only users may confirm."
    )
    package static let gatewayOrigins = Setting(
        "gateway.origins",
        .list(of: .httpAddress),
        default: nil,
        "Origins of web pages, in addition to the gateway's own, that may call it from browsers (CORS)."
    )
    package static let gatewayConnections = Setting(
        "gateway.limits.connections",
        .integer(1...1_000_000),
        default: .integer(16_384),
        "Maximum number of connections of the gateway."
    )
    package static let gatewayBodySize = Setting(
        "gateway.limits.bodySize",
        .integer(1...768),
        default: .integer(256),
        "Maximum size of a request's body, in KiB."
    )
    package static let gatewayUserRate = Setting(
        "gateway.limits.userRate",
        .integer(1...1_000_000),
        default: .integer(50),
        "Requests of a user in a second; twice as many are allowed in a burst."
    )
    package static let gatewayUserConcurrency = Setting(
        "gateway.limits.userConcurrency",
        .integer(1...1_000_000),
        default: .integer(32),
        "Maximum number of concurrent requests of a user, including streams of events."
    )
    package static let gatewayClientRate = Setting(
        "gateway.limits.clientRate",
        .integer(1...1_000_000),
        default: .integer(5_000),
        "Requests of a client in a second, for all its users; twice as many are allowed in a burst."
    )
    package static let gatewayClientConcurrency = Setting(
        "gateway.limits.clientConcurrency",
        .integer(1...1_000_000),
        default: .integer(16_384),
        "Maximum number of concurrent requests of a client, for all its users, including streams of events."
    )
    package static let gatewayWebhookURL = Setting(
        "gateway.webhooks.url",
        .secureAddress,
        default: nil,
        "URL that events of all users are posted to: of https, or of http on this machine. Unset posts none."
    )
    package static let gatewayWebhookSecrets = Setting(
        "gateway.webhooks.secrets",
        .list(of: .secretSource),
        default: nil,
        "Where the secrets are that sign the posts: env:NAME or file:PATH. Each secret makes a signature, for rotation."
    )
    package static let gatewayWebhookEvents = Setting(
        "gateway.webhooks.events",
        .list(of: .choice(UserEvent.types.map(\.rawValue))),
        default: nil,
        "Types of the events that are posted. Unset posts all that clients can follow."
    )
    package static let gatewayWebhookTimeout = Setting(
        "gateway.webhooks.timeout",
        .duration(atLeast: .milliseconds(100)),
        default: .duration(.seconds(10)),
        "How long a post waits for its response."
    )
    package static let gatewayWebhookRetryFor = Setting(
        "gateway.webhooks.retryFor",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(86_400)),
        "How long after an event was written its post is retried; then it goes to the dead letters."
    )
    package static let tracingSample = Setting(
        "tracing.sample",
        .share,
        default: nil,
        "The share of requests to trace, in addition to requests sampled by their clients. Unset traces only those."
    )
    static let tracingEndpoint = Setting(
        "tracing.endpoint",
        .httpAddress,
        default: .text("http://127.0.0.1:4318"),
        "URL of the OTLP/HTTP collector that receives spans, without /v1/traces."
    )
    package static let topicsPartitions = Setting(
        "topics.partitions",
        .integer(1...10_000),
        default: .integer(8),
        "Number of partitions of a new topic."
    )
    package static let topicsReplicationFactor = Setting(
        "topics.replicationFactor",
        .integer(1...100),
        default: nil,
        "Replication factor of a new topic; by default the number of brokers, up to three."
    )
    package static let topicsMinInsyncReplicas = Setting(
        "topics.minInsyncReplicas",
        .integer(1...100),
        default: nil,
        "Minimum in-sync replicas of a new topic; by default two, or one with a single broker."
    )
    package static let topicsRetentionDays = Setting(
        "topics.retentionDays",
        .integer(1...36_500),
        default: .integer(30),
        "Retention of the requests and journal topics, in days."
    )
    package static let requestsDedupeWindow = Setting(
        "requests.dedupeWindow",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(3_600)),
        "How long a repeated request counts as a retry of the first one."
    )
    static let requestsUnknownMembers = Setting(
        "requests.unknownMembers",
        .choice(RuntimeSettings.UnknownMembers.allCases.map(\.rawValue)),
        default: .text(RuntimeSettings().unknownMembers.rawValue),
        "Whether clients' events with unknown members, parameters or attributes are accepted as they are, answered with warnings, or refused."
    )
    static let promptsMaxAttempts = Setting(
        "prompts.maxAttempts",
        .integer(1...100),
        default: .integer(3),
        "Maximum number of unusable answers for a parameter."
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
        "The directory of prompt texts, one file per language."
    )
    static let interactionsMaxTurns = Setting(
        "interactions.maxTurns",
        .integer(1...10_000),
        default: .integer(50),
        "Maximum number of turns of an interaction."
    )
    static let interactionsMaxAge = Setting(
        "interactions.maxAge",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(86_400)),
        "Maximum age of an interaction."
    )
    static let interactionsParkedMaxAge = Setting(
        "interactions.parkedMaxAge",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(604_800)),
        "Maximum time that an interaction waits for an unlocked device or a sign-in."
    )
    static let interactionsTimeZone = Setting(
        "interactions.timeZone",
        .timeZone,
        default: .text("UTC"),
        "The time zone of users whose requests have none."
    )
    static let valuesWords = Setting(
        "values.words",
        .choice(["true", "false"]),
        default: .text("true"),
        "Whether words in place of a value are read, such as tomorrow for a date."
    )
    static let handlersConcurrency = Setting(
        "handlers.concurrency",
        .integer(1...10_000),
        default: .integer(64),
        "Maximum number of users whose turns a lane runs concurrently."
    )
    static let handlersInProgressAfter = Setting(
        "handlers.inProgressAfter",
        .duration(atLeast: .milliseconds(1)),
        default: .duration(.seconds(2)),
        "Time after which a running handler reports inProgress to the user."
    )
    static let handlersReportEvery = Setting(
        "handlers.reportEvery",
        .duration(atLeast: .milliseconds(1)),
        default: .duration(.seconds(1)),
        "Minimum time between two reports of a running handler to the user."
    )
    static let handlersTimeout = Setting(
        "handlers.timeout",
        .duration(atLeast: .milliseconds(1)),
        default: .duration(.seconds(300)),
        "Time after which a handler is cancelled."
    )
    static let handlersMaxCrashes = Setting(
        "handlers.maxCrashes",
        .integer(1...100),
        default: .integer(3),
        "Number of crashes during a turn after which the turn runs alone."
    )
    static let appTimeout = Setting(
        "app.timeout",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(600)),
        "How long an app has to finish an intent that was handed to it."
    )
    package static let samples = Setting(
        "samples",
        .choice(["true", "false"]),
        default: .text("false"),
        "Whether to serve the sample apps in addition to the program's own intents."
    )
    package static let messagesApp = Setting(
        "messages.app",
        .choice(["UnicornChat", "Hairdressers"]),
        default: .text("UnicornChat"),
        "The sample app that sends messages."
    )
    static let batchMaxRecords = Setting(
        "batch.maxRecords",
        .integer(1...100_000),
        default: .integer(800),
        "Maximum number of records in a batch."
    )
    static let batchMaxDelay = Setting(
        "batch.maxDelay",
        .duration(atLeast: .milliseconds(1)),
        default: .duration(.milliseconds(100)),
        "Maximum time that a batch waits for its turns."
    )
    static let stateMemory = Setting(
        "state.memory",
        .integer(1...1_048_576),
        default: .integer(256),
        "Approximate size of the users' state that a lane keeps in memory, in MiB. The rest is in the lane's spill file."
    )
    static let readingStalledAfter = Setting(
        "reading.stalledAfter",
        formerly: "reading.standsAfter",
        .duration(atLeast: .seconds(5)),
        default: .duration(.seconds(60)),
        "Time after which a lane that does not advance although there is more to read is logged as an error."
    )
    package static let readingOpenTransactionAfter = Setting(
        "reading.openTransactionAfter",
        formerly: "reading.heldUpAfter",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(5)),
        "Time after which an open transaction that blocks readers is logged as a warning."
    )
    package static let delivery = Setting(
        "delivery",
        .choice(["exactly-once", "at-least-once"]),
        default: .text("exactly-once"),
        "The delivery guarantee: exactly-once writes each batch in a transaction."
    )
    static let formatsWrite = Setting(
        "formats.write",
        .integer(RecordFormats.current.reads),
        default: nil,
        "The record format that workers write; without it that of the deployment, which is 1 if an earlier version made it."
    )
    package static let ledger = Setting(
        "ledger",
        .choiceOrAddress(["sqlite", "none"]),
        default: .text("sqlite"),
        "The ledger that makes each effect happen once: sqlite, none, or a URL such as postgresql://host/database."
    )
    static let recordsRetentionDays = Setting(
        "records.retentionDays",
        .integer(1...36_500),
        default: nil,
        "Retention of records and effects, in days. Unset keeps all."
    )
    package static let auditKeyFile = Setting(
        "audit.keyFile",
        .path,
        default: nil,
        "The file with the private key that signs anchors and pruning marks."
    )
    static let auditAnchorEvery = Setting(
        "audit.anchorEvery",
        .duration(atLeast: .seconds(1)),
        default: nil,
        "How often a recorder writes an anchor of the chains. Unset writes none."
    )
    static let auditAnchors = Setting(
        "audit.anchors",
        .path,
        default: nil,
        "The directory of anchors. The default is anchors in the data directory."
    )
    package static let restrictedWhileLocked = Setting(
        "restrictedWhileLocked",
        .list(of: .text),
        default: nil,
        "Intents that require an unlocked device."
    )

    static let brokerTransactionMaxTimeout = Setting(
        "broker.transactionMaxTimeout",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(15)),
        "Maximum transaction timeout of the embedded broker."
    )
    static let brokerConnectionsMaxIdle = Setting(
        "broker.connectionsMaxIdle",
        .duration(atLeast: .seconds(1)),
        default: .duration(.seconds(600)),
        "Time after which the embedded broker closes an idle connection."
    )
    static let brokerDeletions = Setting(
        "broker.deletions",
        .choice(["allowed", "refused"]),
        default: .text("allowed"),
        "Whether clients of the embedded broker may delete topics, records, and groups."
    )

    /// All settings, in the order in which they are shown.
    ///
    /// In addition there are `intents.<name>.confirmation` and `kafka.<property>`, see ``ConfigurationReader``.
    package static let all: [Setting] = [
        .brokers, .prefix, .data, .definitions, .vocabularies, .logLevel, .logFormat, .monitoringListen,
        .monitoringHosts, .consoleListen,
        .consoleTraceUrl, .consoleGateway, .consoleGatewayToken, .gatewayListen, .gatewayPublicURL, .gatewayKeys,
        .gatewayIssuer, .gatewayAudience,
        .gatewayClockSkew, .gatewayUserClaim, .gatewayAuthenticatedClaim, .gatewayAuthorizationClaim, .gatewayAgents,
        .gatewayOrigins, .gatewayConnections, .gatewayBodySize, .gatewayUserRate,
        .gatewayUserConcurrency, .gatewayClientRate, .gatewayClientConcurrency, .gatewayWebhookURL,
        .gatewayWebhookSecrets, .gatewayWebhookEvents, .gatewayWebhookTimeout, .gatewayWebhookRetryFor, .tracingSample,
        .tracingEndpoint,
        .topicsPartitions, .topicsReplicationFactor,
        .topicsMinInsyncReplicas, .topicsRetentionDays,
        .requestsDedupeWindow, .requestsUnknownMembers, .promptsMaxAttempts,
        .promptsTimeout, .promptsDirectory,
        .interactionsMaxTurns, .interactionsMaxAge, .interactionsParkedMaxAge, .interactionsTimeZone,
        .valuesWords,
        .handlersConcurrency, .handlersInProgressAfter, .handlersReportEvery, .handlersTimeout, .handlersMaxCrashes,
        .appTimeout, .samples, .messagesApp,
        .batchMaxRecords, .batchMaxDelay, .stateMemory, .readingStalledAfter,
        .readingOpenTransactionAfter, .delivery, .formatsWrite, .ledger, .recordsRetentionDays, .auditKeyFile,
        .auditAnchorEvery, .auditAnchors,
        .restrictedWhileLocked, .brokerTransactionMaxTimeout, .brokerConnectionsMaxIdle, .brokerDeletions,
    ]
}
