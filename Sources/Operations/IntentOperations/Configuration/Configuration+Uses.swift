package import EmbeddedBroker
package import IntentRuntime
package import KafkaLog
package import Logging

extension Configuration {
    /// The topics' prefix.
    package var prefix: String { self.text(.prefix) ?? "intents" }
    /// The files on this machine.
    package var data: DataDirectory { DataDirectory(path: self.text(.data) ?? "var") }
    /// The named brokers; empty when the embedded one is used.
    package var brokers: [String] { self.list(.brokers) }
    /// Whether effects are deduplicated, in SQLite or elsewhere (R31).
    var hasLedger: Bool { self.text(.ledger) != "none" }
    /// Whether the sample apps are served (R65).
    package var servesSamples: Bool { self.text(.samples) == "true" }
    /// How outputs and offsets are written.
    package var delivery: LaneConfiguration.Delivery {
        self.text(.delivery) == "at-least-once" ? .atLeastOnce : .exactlyOnce
    }
    package var logLevel: Logger.Level {
        self.text(.logLevel).flatMap(Logger.Level.init(rawValue:)) ?? self.defaultLogLevel
    }

    /// The interval at which the chains are anchored; nil for never.
    var anchorInterval: Duration? {
        if case .duration(let interval) = self.entry(.auditAnchorEvery)?.value { interval } else { nil }
    }
    /// The share of requests that are traced; nil for no tracing.
    var traceShare: Double? {
        if case .share(let share) = self.entry(.tracingSample)?.value { share } else { nil }
    }
    /// The directory for anchors.
    package var anchors: String { self.text(.auditAnchors) ?? self.data.anchors }

    /// What becomes of clients' events with members that are not read (R79).
    package var unknownMembers: RuntimeSettings.UnknownMembers {
        self.text(.requestsUnknownMembers).flatMap(RuntimeSettings.UnknownMembers.init(rawValue:)) ?? .warn
    }

    /// A logger to standard error.
    package func logger(_ label: String) -> Logger {
        self.text(.logFormat) == "json"
            ? JSONLogHandler.logger(label, level: self.logLevel)
            : ReadableLogHandler.logger(label, level: self.logLevel)
    }

    /// The settings with which topics are created.
    var topicPlan: TopicPlan {
        TopicPlan(
            prefix: self.prefix,
            partitions: self.integer(.topicsPartitions),
            replicationFactor: self.optionalInteger(.topicsReplicationFactor),
            minInsyncReplicas: self.optionalInteger(.topicsMinInsyncReplicas),
            retentionDays: self.integer(.topicsRetentionDays)
        )
    }

    /// The options of lanes besides their records.
    func readingOptions(acceptsLoss: Bool) -> ReadingOptions {
        var limits = ReadingWatch.Limits()
        limits.stalled = self.duration(.readingStalledAfter)
        limits.openTransaction = self.duration(.readingOpenTransactionAfter)
        limits.interval = min(limits.interval, limits.stalled, limits.openTransaction)
        var options = ReadingOptions()
        options.limits = limits
        options.acceptsLoss = acceptsLoss
        return options
    }

    /// The settings of stages in a deployment.
    func runtimeSettings(in deployment: Deployment) -> RuntimeSettings {
        var settings = self.runtimeSettings
        settings.formats.writes = self.optionalInteger(.formatsWrite) ?? deployment.format
        return settings
    }

    /// The settings of stages, whatever the deployment.
    var runtimeSettings: RuntimeSettings {
        var settings = RuntimeSettings()
        settings.dedupeWindow = self.duration(.requestsDedupeWindow)
        settings.unknownMembers = self.unknownMembers
        settings.promptMaxAttempts = self.integer(.promptsMaxAttempts)
        settings.promptTimeout = self.duration(.promptsTimeout)
        settings.maxTurns = self.integer(.interactionsMaxTurns)
        settings.maxAge = self.duration(.interactionsMaxAge)
        settings.parkedMaxAge = self.duration(.interactionsParkedMaxAge)
        settings.timeZone = self.text(.interactionsTimeZone) ?? settings.timeZone
        settings.readsWords = self.text(.valuesWords) != "false"
        settings.inProgressAfter = self.duration(.handlersInProgressAfter)
        settings.reportEvery = self.duration(.handlersReportEvery)
        settings.handlerTimeout = self.duration(.handlersTimeout)
        settings.handlerConcurrency = self.integer(.handlersConcurrency)
        settings.maxCrashes = self.integer(.handlersMaxCrashes)
        settings.appTimeout = self.duration(.appTimeout)
        settings.batchMaxRecords = self.integer(.batchMaxRecords)
        settings.batchMaxDelay = self.duration(.batchMaxDelay)
        settings.stateMemory = self.integer(.stateMemory) << 20
        return settings
    }

    package func apply(to broker: inout EmbeddedBroker.Configuration) {
        broker.maxTransactionTimeout = self.duration(.brokerTransactionMaxTimeout)
        broker.maxConnectionIdle = self.duration(.brokerConnectionsMaxIdle)
        broker.allowsDeletion = self.text(.brokerDeletions) != "refused"
    }

    /// The log on these brokers.
    ///
    /// - Parameters:
    ///   - brokers: Their addresses.
    ///   - requestTimeout: The longest that a call waits for an answer; nil for the driver's own limit.
    /// - Returns: The log, not connected yet.
    package func kafkaLog(brokers: [String], requestTimeout: Duration? = nil) -> KafkaLog {
        var configuration = KafkaLog.Configuration(brokers: brokers)
        if let requestTimeout { configuration.requestTimeout = requestTimeout }
        configuration.properties = self.kafka.mapValues(\.value)
        configuration.logger = self.logger("intentd.kafka")
        // A command that fails reports the reason itself; librdkafka's own lines are for workers, and on demand.
        if self.entry(.logLevel) == nil, self.defaultLogLevel > .info { configuration.logger.logLevel = .critical }
        return KafkaLog(configuration)
    }
}
