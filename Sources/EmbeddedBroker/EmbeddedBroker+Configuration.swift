extension EmbeddedBroker {
    /// How a broker is set up.
    package struct Configuration: Sendable {
        /// The address to listen on.
        package var host = "127.0.0.1"
        /// The port to listen on; 0 takes a free one.
        package var port = 0
        /// The address that clients are told to connect to; nil is `host`.
        package var advertisedHost: String?
        /// The SQLite file.
        ///
        /// Its directory has to exist; beside it stand its write-ahead log and a lock file.
        package var path: String
        /// Whether Metadata and Produce create topics that do not exist.
        package var autoCreateTopics = true
        /// How many partitions a topic gets that nobody gave a number.
        package var defaultPartitions = 8
        /// How long an empty group waits for more members before its first generation.
        package var initialRebalanceDelay = Duration.zero
        /// The session time-outs that group members may ask for.
        package var sessionTimeouts: ClosedRange<Duration> = .milliseconds(100) ... .seconds(1_800)
        /// How long a transaction may stay open, whatever its producer asks for (`transaction.max.timeout.ms`).
        ///
        /// One that is open holds up everybody who reads committed records of its partitions. Kafka refuses producers that
        /// ask for more; here they get this much, because most clients ask for 60 s unless told otherwise.
        package var maxTransactionTimeout = Duration.seconds(15)
        /// The longest that a Fetch waits for records, whatever it asks for.
        package var maxFetchWait = Duration.seconds(300)
        /// Whether DeleteTopics, DeleteRecords and DeleteGroups do what they say; else they are refused.
        package var allowsDeletion = true
        /// How often retention and compaction run.
        package var cleaningInterval = Duration.seconds(30)
        /// How many bytes of a log one step of the cleaning looks at; requests come in between.
        package var cleaningStepBytes = 128 << 10
        /// How many records a compacted partition must have got before it is worth compacting.
        package var minCompactionRecords: Int64 = 1_000
        /// How long an idempotent producer may be silent before its sequence numbers are forgotten.
        package var producerIDExpiration = Duration.seconds(86_400)
        /// How long a transactional id may be silent before it is forgotten.
        package var transactionalIDExpiration = Duration.seconds(604_800)
        /// The largest request in bytes; a larger one closes its connection.
        package var maxFrameBytes = 32 << 20
        /// How many bytes of requests there may be in memory over all connections (`queued.max.request.bytes`).
        ///
        /// On top come 128 KiB for each connection. Who wants more than there is waits without being read.
        package var maxRequestBytes = 128 << 20
        /// How long a request may take from its first byte to its last.
        package var maxFrameTime = Duration.seconds(30)
        /// How long nothing may happen on a connection (`connections.max.idle.ms`).
        package var maxConnectionIdle = Duration.seconds(600)
        /// How many bytes of responses may wait for clients to take them, over all connections.
        ///
        /// Beyond that Fetch finds nothing, and the connection that holds most is closed.
        package var maxResponseBytes = 256 << 20
        /// The largest Fetch response in bytes, whatever the client asks for.
        package var maxFetchBytes = 50 << 20
        /// How many of the newest bytes of each partition stay in memory.
        package var cacheBytesPerPartition = 1 << 20
        /// How many connections there may be at once; more are closed at once.
        package var maxConnections = 1_000
        /// How many requests of one connection may wait for their answers before no more are read.
        package var maxRequestsPerConnection = 32
        /// How much of everything clients may make.
        package var limits = Limits()
        /// What a commit waits for.
        package var synchronous = Synchronous.normal

        /// How much of everything clients may make; what is more is refused, and the log says so.
        package struct Limits: Sendable {
            /// Topics.
            package var topics = 1_000
            /// Partitions of all topics.
            package var partitions = 20_000
            /// Consumer groups.
            package var groups = 10_000
            /// Members of one group, those included that have only asked for an id (`group.max.size`).
            package var groupMembers = 1_000
            /// Bytes of one member's subscriptions.
            package var memberBytes = 256 << 10
            /// Bytes of all groups' subscriptions and assignments.
            package var groupBytes = 64 << 20
            /// Bytes of all groups' committed offsets, and of those that open transactions hold.
            package var offsetBytes = 64 << 20
            /// Transactional ids.
            package var transactionalIDs = 10_000
            /// Transactions that are open at once.
            package var openTransactions = 1_000
            /// Partitions, and groups, of one transaction.
            package var transactionPartitions = 1_000
            /// Producers whose sequence numbers are remembered, over all partitions; the oldest are forgotten.
            package var producers = 100_000
            /// Partitions that all waiting Fetches together wait for; a Fetch beyond does not wait.
            package var waitingPartitions = 100_000

            /// The defaults.
            package init() {}
        }

        /// The defaults, for a file.
        package init(path: String) {
            self.path = path
        }

        /// What a commit waits for.
        package enum Synchronous: String, Sendable {
            /// The operating system: what was acknowledged survives the death of the process, not of the machine.
            case normal = "NORMAL"
            /// The disk: what was acknowledged survives the machine's death as well.
            case full = "FULL"
        }
    }
}
