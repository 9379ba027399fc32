package import IntentEvents
package import IntentKit

/// What all turns of a stage share: everything that does not change while a worker runs.
///
/// This is a reference: each turn, host and lane holds it.
package final class StageEnvironment: Sendable {
    package let stage: Stage
    package let registry: IntentRegistry
    package let settings: RuntimeSettings
    /// The effect ledger; nil for a deployment without one (R31).
    package let ledger: (any EffectLedger)?
    /// The deployment's random id (R7).
    package let deployment: String
    /// The topics' prefix.
    package let prefix: String
    /// How many partitions every topic has (R6).
    package let partitions: Int
    /// The worker's name, for the journal.
    package let worker: String
    /// Whether `ce_intentdscript` is honoured.
    package let isScripted: Bool
    /// The behaviour by which turns run: this version's, or that of the recorded turns that are run again (R58).
    package let behaviour: Int
    /// How redriven requests are recognised (R48).
    package let redrive: RedriveCheck
    package let clock: any RuntimeClock
    /// Watches turns that may end their process (R56); nil if nothing restarts it.
    package let crashes: CrashWatch?
    /// The metrics; nil for none.
    package let metrics: StageMetrics?
    /// The threads on which turns run; nil for those on which Swift runs all tasks.
    let threads: (any TaskExecutor)?
    /// Traces turns; nil for no turn (R66).
    let tracing: TurnTracing?
    /// The global vocabularies (R36).
    package let globalVocabularies: GlobalVocabularies
    /// Users' own vocabularies, prepared.
    package let vocabularies: VocabularyCache
    /// The ledger entries of other requests that turns have met.
    let foreignEntries = ForeignEntries()
    private static let topics = Topic.allCases
    /// The topics' full names, by the topics' indices.
    private let topicNames: [TopicName]

    package init(
        stage: Stage,
        registry: IntentRegistry,
        settings: RuntimeSettings = RuntimeSettings(),
        ledger: (any EffectLedger)? = nil,
        deployment: String,
        prefix: String,
        partitions: Int,
        worker: String,
        isScripted: Bool = false,
        behaviour: Int = TurnRecord.currentBehaviour,
        redrive: RedriveCheck = .key(nil),
        clock: any RuntimeClock = SystemRuntimeClock(),
        crashes: CrashWatch? = nil,
        threads: (any TaskExecutor)? = nil,
        metrics: StageMetrics? = nil,
        tracing: TurnTracing? = nil,
        globalVocabularies: GlobalVocabularies = GlobalVocabularies(),
        vocabularies: VocabularyCache = VocabularyCache()
    ) {
        self.stage = stage
        self.registry = registry
        self.settings = settings
        self.ledger = ledger
        self.deployment = deployment
        self.prefix = prefix
        self.partitions = partitions
        self.worker = worker
        self.isScripted = isScripted
        self.behaviour = behaviour
        self.redrive = redrive
        self.clock = clock
        self.crashes = crashes
        self.threads = threads
        self.metrics = metrics
        self.tracing = tracing
        self.globalVocabularies = globalVocabularies
        self.vocabularies = vocabularies
        self.topicNames = Topic.allCases.map { $0.name(prefix: prefix) }
    }

    /// The same environment for turns that another worker ran.
    package func with(
        stage: Stage? = nil,
        settings: RuntimeSettings? = nil,
        worker: String? = nil,
        isScripted: Bool? = nil,
        behaviour: Int? = nil,
        redrive: RedriveCheck? = nil
    ) -> StageEnvironment {
        StageEnvironment(
            stage: stage ?? self.stage,
            registry: self.registry,
            settings: settings ?? self.settings,
            ledger: self.ledger,
            deployment: self.deployment,
            prefix: self.prefix,
            partitions: self.partitions,
            worker: worker ?? self.worker,
            isScripted: isScripted ?? self.isScripted,
            behaviour: behaviour ?? self.behaviour,
            redrive: redrive ?? self.redrive,
            clock: self.clock,
            crashes: self.crashes,
            threads: self.threads,
            metrics: self.metrics,
            globalVocabularies: self.globalVocabularies,
            vocabularies: self.vocabularies
        )
    }

    /// Whether prompts say what they accept and why they are put again, and rejections whom they concern.
    var explainsToClients: Bool { self.behaviour >= 4 }

    /// Whether a parked request that repeats another one belongs to no interaction.
    var distinguishesRepeats: Bool { self.behaviour >= 4 }

    /// The form of the idempotency keys of interactions that begin (R30).
    var keysOfRequests: RedriveState.KeyForm { self.behaviour >= 5 ? .request : .interaction }

    /// Whether dead letters say what an interaction passes on when it is redriven (R48).
    var passesOnAnswers: Bool { self.behaviour >= 5 }

    /// Whether a value of an enumeration may be called by its titles, and a text that is none is repeated as it was said.
    var readsTitles: Bool { self.behaviour >= 5 }

    /// Whether a question that is put again says why, whichever question the last answer was to.
    var remembersRefusals: Bool { self.behaviour >= 5 }

    /// Whether the terminal response names the effects that the ledger holds, instead of those that its turn made.
    var namesHeldEffects: Bool { self.behaviour >= 5 }

    /// Whether prompts say what the user sees of their options, and dialogs distinguish options of one title (R71).
    var showsDisplays: Bool { self.behaviour >= 6 }

    /// Whether outputs name what clients probably did not mean (R79).
    var namesMistakes: Bool { self.behaviour >= 6 && self.settings.unknownMembers != .ignore }

    /// Whether a record that cannot be read is answered to the user whom its key names (R47a).
    var answersByKey: Bool { self.behaviour >= 6 }

    /// Whether a turn is tried again at an even pace after the first few times, and as late as a service asks for (R35).
    var triesPatiently: Bool { self.behaviour >= 6 }

    /// Whether the journal says what an interaction waits for, and names it in all turns that are about it (R80).
    var journalsWaits: Bool { self.behaviour >= 7 }

    /// Whether an interaction that its user gives up ends without a user activity (R34).
    var endsQuietly: Bool { self.behaviour >= 6 }

    /// Whether the turn of a timer that has begun continues after the clock was set back (R13).
    var continuesTimers: Bool { self.behaviour >= 6 }

    /// How a turn with a transient error is tried again, where its handler has no policy (R35).
    var retryPolicy: RetryPolicy {
        RetryPolicy(
            attempts: self.triesPatiently ? self.settings.maxTries : min(self.settings.maxTries, 5),
            longest: self.triesPatiently ? RetryPolicy.standard.longest : .seconds(3_600),
            within: self.settings.retryWindow
        )
    }

    /// How long a handler may take in this stage (R32).
    func handlerTimeout(of intent: String?) -> Duration {
        let entry = intent.flatMap { self.registry[$0] }
        let own = self.stage == .handle ? entry?.registration.handleTimeout : nil
        return min(own ?? entry?.handlerTimeout ?? self.settings.handlerTimeout, self.settings.maxAge)
    }

    /// Whether attempts count for one question, and corrections of other parameters do not count.
    var countsByQuestion: Bool { self.behaviour >= 6 }

    /// Whether the handler is asked again after the user has declined what it offered.
    var asksResolverAfterDecline: Bool { self.behaviour >= 6 }

    /// Whether the effects of an interaction that does not succeed are undone before it ends (R75).
    var endsByUndoing: Bool { self.behaviour >= 6 }

    /// Whether interactions are held by pauses (R82).
    var holdsPaused: Bool { self.behaviour >= 7 }

    /// Whether a request may set a prompt aside (R78).
    var setsAside: Bool { self.behaviour >= 6 }

    /// Whether follow-ups wait in resolve, where a cancellation finds them (R77).
    var keepsFollowUps: Bool { self.behaviour >= 6 }

    /// Whether requests and answers may name the user's time zone (R73).
    var readsTimeZones: Bool { self.behaviour >= 6 }

    /// Whether words in place of a value are read (R73).
    var readsWords: Bool { self.behaviour >= 6 && self.settings.readsWords }

    /// The topic of a full name; nil when it is none of the deployment's.
    func topic(named name: TopicName) -> Topic? { Self.topics.first { self.topicNames[$0.index] == name } }

    /// The topic of a record that the stage works on; nil for a signal to another stage, and when it is none of the
    /// deployment's.
    func topic(of record: LogRecord) -> Topic? {
        guard let topic = self.topic(named: record.topicPartition.topic),
            topic != .signals || record.content.hasHeader(EventHeaderName.stage, self.stage.rawValue)
        else { return nil }
        return topic
    }

    func identifiers(of position: RecordPosition) -> TurnIdentifiers {
        TurnIdentifiers(deployment: self.deployment, stage: self.stage, position: position)
    }

    /// One partition of a topic of this deployment.
    package func topicPartition(_ topic: Topic, _ partition: Int) -> TopicPartition {
        TopicPartition(self.topicNames[topic.index], partition)
    }
}
