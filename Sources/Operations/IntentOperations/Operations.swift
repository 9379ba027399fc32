internal import Foundation
package import IntentAudit
package import IntentEvents
package import IntentKit
package import IntentRecords
package import IntentRuntime

/// What an operator can do with a deployment, and see of it.
///
/// Its functions return plain results, which the terminal and the console render.
package struct Operations: Sendable {
    /// Called with the amount of work that is done, and the total.
    package typealias Progress = @Sendable (_ done: Int64, _ total: Int64) -> Void
    package typealias Topics = (log: any EventLog, deployment: Deployment)

    package let configuration: Configuration
    /// Today's intents; nil when they cannot be read: then all values are masked, and nothing can be asked or run again.
    package let intents: IntentSet?
    /// The topics; nil for one who sees only records.
    package let topics: Topics?
    /// Whether conversations may be held, and dead letters sent again.
    package let allowsWrites: Bool
    package let masking: Masking

    package init(
        _ configuration: Configuration,
        intents: IntentSet?,
        topics: Topics?,
        allowsWrites: Bool = false
    ) {
        self.configuration = configuration
        self.intents = intents
        self.topics = topics
        self.allowsWrites = allowsWrites && intents != nil && topics != nil
        self.masking = intents.map(Masking.init) ?? .everything
    }

    /// Finds the topics and reads the intents, and closes the connection to the topics in any case.
    /// - Throws: ``OperationError``; `LogError`; what the body throws.
    package static func use<Value>(
        _ configuration: Configuration,
        _ body: (Operations) async throws -> Value
    ) async throws -> Value {
        let intents = try Self.intents(configuration)
        return try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                return try await body(Operations(configuration, intents: intents, topics: (log, deployment)))
            }
    }

    private static func intents(_ configuration: Configuration) throws(OperationError) -> IntentSet {
        do throws(OperationError) {
            return try IntentSet(configuration)
        } catch {
            guard error.code == .configuration else { throw error }
            throw OperationError(
                error.code,
                "\(error.message)\nreplay runs the intents' handlers, and proves nothing unless all of them load; "
                    + "`intentd audit verify` and `intentd audit show` need no handlers"
            )
        }
    }

    /// The topics.
    /// - Throws: ``OperationError``, `unavailable`, for one who sees only records.
    func reachedTopics() throws(OperationError) -> Topics {
        guard let topics else {
            throw OperationError(.unavailable, "No broker is configured: only records are shown.")
        }
        return topics
    }

    // MARK: Listings

    /// The intents that can be asked for, as `intents --json` prints them.
    package var listings: [JSONValue] {
        self.intents.map { set in set.registry.intentNames.compactMap { IntentListing($0, of: set)?.json } } ?? []
    }

    /// A user's current vocabularies, as `resolve` has them.
    /// - Throws: ``OperationError``; `LogError`.
    package func vocabularies(of user: UserID) async throws -> [VocabularyStringType: UserVocabulary] {
        let topics = try self.reachedTopics()
        return try await UserVocabularies.read(user, of: topics.deployment, from: topics.log)
    }

    // MARK: Groups

    /// How far each group has got, and its members.
    /// - Throws: ``OperationError``; `LogError`.
    package func groups() async throws -> GroupLagReport {
        let (log, deployment) = try self.reachedTopics()
        // The first query checks whether the broker answers at all: it fails soonest when the broker is down.
        let requests = Topic.requests.name(prefix: deployment.prefix)
        _ = try await log.offsets((0..<deployment.partitions).map { TopicPartition(requests, $0) }, at: .end)
        return try await GroupLagReport.make(deployment, openTransactionAfter: nil, on: log)
    }

    // MARK: Dead letters

    /// The dead letters of these names, in their order.
    /// - Throws: ``OperationError``; `LogError`.
    package func letters(_ names: [String]) async throws -> [DeadLetter] {
        let (log, deployment) = try self.reachedTopics()
        return try await DeadLetterBox(prefix: deployment.prefix, log: log)
            .letters(named: names.map { name throws(OperationError) in try DeadLetterName(name) })
    }

    /// Sends the requests of letters again, or returns what would be sent.
    /// - Throws: ``OperationError``, `usage` where that is not allowed; `LogError`.
    package func redrive(
        _ names: [String],
        isDryRun: Bool,
        by: OperatorAct.Operator
    ) async throws -> Redrive {
        guard isDryRun || self.allowsWrites else { throw OperationError(.usage, "sending is not allowed here") }
        let (log, deployment) = try self.reachedTopics()
        return try await DeadLetterBox(prefix: deployment.prefix, log: log)
            .redrive(
                try await self.letters(names),
                of: deployment,
                self.configuration,
                isDryRun: isDryRun,
                by: by,
                postTime: Self.postTime
            )
    }

    /// The time for the posts of one redrive: somebody waits for a page.
    private static let postTime = Duration.seconds(30)

    /// Marks letters as handled (R84e).
    /// - Returns: The letters with the marks that they had before.
    /// - Throws: ``OperationError``, `usage` where that is not allowed, or without a note; `LogError`.
    @discardableResult
    package func handle(
        _ names: [String],
        by: OperatorAct.Operator
    ) async throws -> [(letter: DeadLetter, before: LetterHandling?)] {
        guard self.allowsWrites else { throw OperationError(.usage, "marking is not allowed here") }
        let (log, deployment) = try self.reachedTopics()
        return try await DeadLetterBox(prefix: deployment.prefix, log: log)
            .handle(try await self.letters(names), of: deployment, isDryRun: false, by: by)
    }

    // MARK: Conversations

    /// Holds conversations; nil where that is not allowed, and without a gateway (`console.gateway`).
    package var talk: Talk? {
        guard self.allowsWrites, let intents, let gateway = GatewayClient(self.configuration) else { return nil }
        return Talk(gateway: gateway, registry: intents.registry)
    }

    // MARK: Audits

    /// Whether turns can be run again.
    package var canReplay: Bool { self.topics != nil && self.intents != nil }

    /// Compares all records with each other.
    package func verify(_ progress: @escaping Progress) async throws -> AuditReport {
        let (log, deployment) = try self.reachedTopics()
        let ledger = try await self.configuration.existingLedger()
        return try await AuditVerifier(log: log, deployment: deployment, parallelism: Self.width)
            .run(records: self.configuration.data.records, store: ledger, progress: progress)
    }

    /// Runs turns again.
    ///
    /// - Parameters:
    ///   - selection: The turns.
    ///   - parallelism: How many are run at once; nil for one a processor.
    ///   - verdictLimit: The most verdicts that are returned; nil for the replayer's own.
    ///   - progress: Called repeatedly during the work.
    /// - Returns: The report.
    /// - Throws: ``OperationError``; `LogError`; `AuditError`.
    package func replay(
        _ selection: ReplaySelection,
        parallelism: Int? = nil,
        verdictLimit: Int? = nil,
        _ progress: @escaping Progress
    ) async throws -> ReplayReport {
        var settings = Replayer.Configuration(parallelism: parallelism ?? Self.width)
        settings.selection = selection
        if let verdictLimit { settings.verdictLimit = verdictLimit }
        return try await Replayer(
            log: try self.reachedTopics().log,
            environment: try self.environment,
            configuration: settings
        )
        .run(progress: progress)
    }

    /// Plays interactions with today's handlers.
    ///
    /// - Parameters:
    ///   - selection: The interactions' turns.
    ///   - parallelism: How many are played at once; nil for one a processor.
    ///   - masking: Masks the values of the report; nil for what is masked usually.
    ///   - progress: Called repeatedly during the work.
    /// - Returns: The report.
    /// - Throws: ``OperationError``; `LogError`; `AuditError`.
    package func shadow(
        _ selection: ReplaySelection,
        parallelism: Int? = nil,
        masking: Masking? = nil,
        _ progress: @escaping Progress
    ) async throws -> ShadowReport {
        let masking = masking ?? self.masking
        return try await ShadowReplayer(
            log: try self.reachedTopics().log,
            environment: try self.environment,
            selection: selection,
            parallelism: parallelism ?? Self.width,
            masked: { masking.masked($0) }
        )
        .run(progress: progress)
    }

    private static var width: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Today's handlers and settings; turns add their own stage and worker.
    private var environment: StageEnvironment {
        get throws(OperationError) {
            let deployment = try self.reachedTopics().deployment
            guard let intents else { throw OperationError(.configuration, "the intents cannot be loaded") }
            return StageEnvironment(
                stage: .resolve,
                registry: intents.registry,
                settings: self.configuration.runtimeSettings,
                deployment: deployment.id,
                prefix: deployment.prefix,
                partitions: deployment.partitions,
                worker: "replay",
                globalVocabularies: intents.vocabularies
            )
        }
    }
}
