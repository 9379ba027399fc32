package import IntentEvents
package import IntentKit

/// What all turns of a stage share: everything that does not change while a worker runs.
package struct StageEnvironment: Sendable {
    /// Whose turns these are.
    package var stage: Stage
    /// Which handler carries out which intent.
    package var registry: IntentRegistry
    /// What can be set.
    package var settings: RuntimeSettings
    /// Where effects are kept to once each; nil for a deployment without (R31).
    package var ledger: (any EffectLedger)?
    /// The deployment's random id (R7).
    package var deployment: String
    /// The topics' prefix.
    package var prefix: String
    /// How many partitions every topic has (R6).
    package var partitions: Int
    /// The worker's name, for the journal.
    package var worker: String
    /// Whether `ce_intentdscript` is honoured.
    package var isScripted: Bool
    /// How requests are known that were sent again (R48).
    package var redrive: RedriveCheck
    /// The time.
    package var clock: any RuntimeClock
    /// Watches over turns that end their process (R56); nil where nobody restarts it.
    package var crashes: CrashWatch?
    /// The terms that all users share (R36).
    package var globalVocabularies: GlobalVocabularies
    /// Users' own vocabularies, prepared.
    package let vocabularies = VocabularyCache()

    /// Gathers what turns share.
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
        redrive: RedriveCheck = .key(nil),
        clock: any RuntimeClock = SystemRuntimeClock(),
        crashes: CrashWatch? = nil,
        globalVocabularies: GlobalVocabularies = GlobalVocabularies()
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
        self.redrive = redrive
        self.clock = clock
        self.crashes = crashes
        self.globalVocabularies = globalVocabularies
    }

    /// One partition of a topic of this deployment.
    package func topicPartition(_ topic: Topic, _ partition: Int) -> TopicPartition {
        TopicPartition(topic.name(prefix: self.prefix), partition)
    }
}
