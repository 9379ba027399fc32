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
        /// The longest transaction time-out that a producer may ask for.
        package var maxTransactionTimeout = Duration.seconds(900)
        /// How often retention and compaction run.
        package var cleaningInterval = Duration.seconds(30)
        /// How many records a compacted partition must have got before it is worth compacting.
        package var minCompactionRecords: Int64 = 1_000
        /// How long an idempotent producer may be silent before its sequence numbers are forgotten.
        package var producerIDExpiration = Duration.seconds(86_400)
        /// How long a transactional id may be silent before it is forgotten.
        package var transactionalIDExpiration = Duration.seconds(604_800)
        /// The largest request in bytes; a larger one closes its connection.
        package var maxFrameBytes = 100 << 20
        /// The largest Fetch response in bytes, whatever the client asks for.
        package var maxFetchBytes = 50 << 20
        /// How many of the newest bytes of each partition stay in memory.
        package var cacheBytesPerPartition = 1 << 20
        /// How many connections there may be at once; more are closed at once.
        package var maxConnections = 1_000
        /// How many requests of one connection may wait for their answers before no more are read.
        package var maxRequestsPerConnection = 100
        /// What a commit waits for.
        package var synchronous = Synchronous.normal

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
