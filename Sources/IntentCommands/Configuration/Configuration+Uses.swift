import EmbeddedBroker
import IntentKit
import IntentRuntime
import KafkaLog
import Logging
import SampleApps

extension Configuration {
    /// The topics' prefix.
    var prefix: String { self.text(.prefix) ?? "intents" }
    /// This machine's files.
    var data: DataDirectory { DataDirectory(path: self.text(.data) ?? "var") }
    /// The brokers that were named; empty when the embedded one is meant.
    var brokers: [String] { self.list(.brokers) }
    /// Whether effects are kept to once each in SQLite (R31).
    var hasLedger: Bool { self.text(.ledger) != "none" }
    /// Whether the sample apps are served (R65).
    var servesSamples: Bool { self.text(.samples) == "true" }
    /// The sample apps that are served; empty unless they are.
    var samples: [IntentExtension] {
        self.servesSamples ? IntentExtension.sampleApps(messages: self.messagesApp) : []
    }
    /// The presenters of the sample apps that are served.
    var samplePresentation: [IntentUIExtension] {
        self.servesSamples ? IntentUIExtension.sampleApps() : []
    }
    /// Which sample app sends messages.
    private var messagesApp: SampleMessagesApp {
        self.text(.messagesApp).flatMap(SampleMessagesApp.init(rawValue:)) ?? .unicornChat
    }
    /// How outputs and offsets are written.
    var delivery: LaneConfiguration.Delivery { self.text(.delivery) == "at-least-once" ? .atLeastOnce : .exactlyOnce }
    /// What is logged.
    var logLevel: Logger.Level { self.text(.logLevel).flatMap(Logger.Level.init(rawValue:)) ?? self.defaultLogLevel }

    /// How often the chains are anchored; nil for not at all.
    var anchorInterval: Duration? {
        if case .duration(let interval) = self.entry(.auditAnchorEvery)?.value { interval } else { nil }
    }
    /// Where anchors go.
    var anchors: String { self.text(.auditAnchors) ?? self.data.anchors }

    /// A logger to standard error.
    func logger(_ label: String) -> Logger {
        self.text(.logFormat) == "json"
            ? JSONLogHandler.logger(label, level: self.logLevel)
            : ReadableLogHandler.logger(label, level: self.logLevel)
    }

    /// The topics as they are made.
    var topicPlan: TopicPlan {
        TopicPlan(
            prefix: self.prefix,
            partitions: self.integer(.topicsPartitions),
            replicationFactor: self.integer(.topicsReplicationFactor),
            retentionDays: self.integer(.topicsRetentionDays)
        )
    }

    /// What lanes look after besides their records.
    func readingOptions(acceptsLoss: Bool) -> ReadingOptions {
        var limits = ReadingWatch.Limits()
        limits.standing = self.duration(.readingStandsAfter)
        limits.openTransaction = self.duration(.readingHeldUpAfter)
        limits.interval = min(limits.interval, limits.standing, limits.openTransaction)
        var options = ReadingOptions()
        options.limits = limits
        options.acceptsLoss = acceptsLoss
        return options
    }

    /// What can be set about how stages work.
    var runtimeSettings: RuntimeSettings {
        var settings = RuntimeSettings()
        settings.dedupeWindow = self.duration(.requestsDedupeWindow)
        settings.promptMaxAttempts = self.integer(.promptsMaxAttempts)
        settings.promptTimeout = self.duration(.promptsTimeout)
        settings.maxTurns = self.integer(.interactionsMaxTurns)
        settings.maxAge = self.duration(.interactionsMaxAge)
        settings.parkedMaxAge = self.duration(.interactionsParkedMaxAge)
        settings.inProgressAfter = self.duration(.handlersInProgressAfter)
        settings.handlerTimeout = self.duration(.handlersTimeout)
        settings.handlerConcurrency = self.integer(.handlersConcurrency)
        settings.maxCrashes = self.integer(.handlersMaxCrashes)
        settings.appTimeout = self.duration(.appTimeout)
        settings.batchMaxRecords = self.integer(.batchMaxRecords)
        settings.batchMaxDelay = self.duration(.batchMaxDelay)
        settings.stateMemory = self.integer(.stateMemory) << 20
        settings.formats.writes = self.integer(.formatsWrite)
        return settings
    }

    /// Sets an embedded broker up as it is configured.
    func apply(to broker: inout EmbeddedBroker.Configuration) {
        broker.maxTransactionTimeout = self.duration(.brokerTransactionMaxTimeout)
        broker.maxConnectionIdle = self.duration(.brokerConnectionsMaxIdle)
        broker.allowsDeletion = self.text(.brokerDeletions) != "refused"
    }

    /// How these brokers are reached.
    ///
    /// - Parameters:
    ///   - brokers: Their addresses.
    ///   - patience: How long a call waits for an answer; nil for the driver's own limit.
    /// - Returns: The log, not connected yet.
    func kafkaLog(brokers: [String], patience: Duration? = nil) -> KafkaLog {
        var configuration = KafkaLog.Configuration(brokers: brokers)
        if let patience { configuration.requestTimeout = patience }
        configuration.properties = self.kafka.mapValues(\.value)
        configuration.logger = self.logger("intentd.kafka")
        // A command that ends says itself what went wrong; librdkafka's own lines are for workers, and on demand.
        if self.entry(.logLevel) == nil, self.defaultLogLevel > .info { configuration.logger.logLevel = .critical }
        return KafkaLog(configuration)
    }
}
