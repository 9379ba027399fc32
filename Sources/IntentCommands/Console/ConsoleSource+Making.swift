import Foundation
import IntentAudit
import IntentConsole
import IntentEvents
import IntentKit
import IntentRuntime

extension ConsoleSource {
    /// The source of a console for this configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - intents: Today's intents; nil when they cannot be read: then all values are masked, and nothing can be asked or
    ///     run again.
    ///   - log: The topics; nil for a console with only records.
    ///   - deployment: The topics' deployment.
    ///   - allowsWrites: Whether the console may hold conversations and send dead letters again.
    /// - Returns: The source.
    static func make(
        _ configuration: Configuration,
        intents: IntentSet?,
        log: (any EventLog)?,
        deployment: Deployment?,
        allowsWrites: Bool
    ) -> ConsoleSource {
        let sensitive = intents.map(SensitiveParameters.init) ?? .everything
        var source = ConsoleSource(
            deployment: configuration.prefix,
            records: configuration.data.records,
            masking: ConsoleMasking(sensitive),
            intents: intents.map { set in
                set.registry.intentNames.compactMap { IntentListing($0, of: set)?.json }
            } ?? []
        )
        source.traces = configuration.text(.consoleTraceUrl).flatMap(TraceLink.init)
        guard let log, let deployment else { return source }
        source.groups = { try await Self.groups(of: deployment, on: log) }
        let width = ProcessInfo.processInfo.activeProcessorCount
        source.verify = { progress in
            let ledger = try await configuration.existingLedger()
            return try await AuditVerifier(log: log, deployment: deployment, parallelism: width)
                .run(
                    records: configuration.data.records,
                    store: ledger,
                    progress: progress
                )
        }
        source.letters = .make(deployment, on: log, sensitive: sensitive, allowsSending: allowsWrites && intents != nil)
        guard let intents else { return source }
        let access = AuditAccess(configuration: configuration, log: log, deployment: deployment, intents: intents)
        source.vocabularies = { try await UserVocabularies.read(UserID($0), of: deployment, from: log) }
        source.replay = { selection, progress in
            var settings = Replayer.Configuration(parallelism: width)
            settings.selection = selection
            settings.verdictLimit = 1_000
            return try await Replayer(log: log, environment: access.environment, configuration: settings)
                .run(progress: progress)
        }
        source.shadow = { selection, progress in
            try await ShadowReplayer(
                log: log,
                environment: access.environment,
                selection: selection,
                parallelism: width
            )
            .run(progress: progress)
        }
        if allowsWrites { source.talk = .make(access) }
        return source
    }

    /// The groups' lags, by topic, and their members.
    private static func groups(of deployment: Deployment, on log: any EventLog) async throws -> ConsoleGroups {
        // The first query checks whether the broker answers at all: it fails soonest when the broker is down.
        _ = try await log.offsets(deployment.topicPartitions(of: .requests), at: .end)
        let lags = try await GroupLag.all(of: deployment, on: log)
        let members = try? await GroupLagReport.members(of: GroupLagReport.groups(lags), on: log)
        let prefix = deployment.prefix + "."
        return ConsoleGroups(
            lags: GroupLag.topics(lags)
                .map { group, topic in
                    let own = lags.filter { $0.group == group && $0.partition.topic == topic }
                    return ConsoleLag(
                        group: String(group.text.trimmingPrefix(prefix)),
                        topic: String(topic.text.trimmingPrefix(prefix)),
                        lag: own.reduce(0) { $0 + $1.lag },
                        partitionsBehind: own.filter { $0.lag > 0 }.count
                    )
                },
            members: members?
                .flatMap { group, members in
                    members.map { member in
                        ConsoleMember(
                            group: String(group.text.trimmingPrefix(prefix)),
                            name: member.name,
                            host: member.host,
                            partitions: GroupLagReport.ranges(Set(member.partitions.map(\.partition)).sorted())
                        )
                    }
                }
        )
    }
}

extension ConsoleMasking {
    /// Masks as all commands do.
    init(_ sensitive: SensitiveParameters) {
        let story = StoryText(sensitive)
        self.init(
            data: sensitive.masked,
            parameters: sensitive.masked(parameters:of:),
            turn: story.json,
            state: { story.masked(story.json($0, at: $1)) },
            value: sensitive.masked(_:at:),
            isSensitive: { sensitive.contains($0, of: $1) }
        )
    }
}
