extension EmbeddedBroker {
    package struct Configuration: Sendable {
        /// The address to listen on.
        package var host = "127.0.0.1"
        /// The port to listen on; 0 chooses a free one.
        package var port = 0
        /// The advertised address, to which clients connect; nil means `host`.
        package var advertisedHost: String?
        /// The SQLite file.
        ///
        /// Its directory must exist; the file's write-ahead log and a lock file are beside it.
        package var path: String
        /// Whether Metadata and Produce create topics that do not exist.
        package var autoCreateTopics = true
        /// The number of partitions of a topic that is created without a number.
        package var defaultPartitions = 8
        /// The time for which an empty group waits for more members before its first generation.
        package var initialRebalanceDelay = Duration.zero
        /// The session time-outs that group members may ask for.
        package var sessionTimeouts: ClosedRange<Duration> = .milliseconds(100) ... .seconds(1_800)
        /// The longest that a transaction may stay open, whatever its producer asks for (`transaction.max.timeout.ms`).
        ///
        /// An open transaction blocks all readers of committed records in its partitions. Kafka refuses producers that
        /// ask for more; this broker grants the maximum instead, because the default of most clients is
        /// 60 s.
        package var maxTransactionTimeout = Duration.seconds(15)
        /// The longest that a Fetch waits for records, whatever it asks for.
        package var maxFetchWait = Duration.seconds(300)
        /// Whether DeleteTopics, DeleteRecords and DeleteGroups are allowed; otherwise they are refused.
        package var allowsDeletion = true
        /// The interval at which retention and compaction run.
        package var cleaningInterval = Duration.seconds(30)
        /// The number of bytes of a log that one cleaning step reads; requests are handled in between.
        package var cleaningStepBytes = 128 << 10
        /// The number of records that a compacted partition must have received before it is worth compacting.
        package var minCompactionRecords: Int64 = 1_000
        /// The time for which an idempotent producer may be silent before its sequence numbers are forgotten.
        package var producerIDExpiration = Duration.seconds(86_400)
        /// The time for which a transactional id may be silent before it is forgotten.
        package var transactionalIDExpiration = Duration.seconds(604_800)
        /// The largest request in bytes; a larger one closes its connection.
        package var maxFrameBytes = 32 << 20
        /// The largest number of bytes of requests in memory over all connections (`queued.max.request.bytes`).
        ///
        /// In addition each connection may hold 128 KiB. A connection that needs more than is free waits without being
        /// read.
        package var maxRequestBytes = 128 << 20
        /// The longest that a request may take from its first byte to its last.
        package var maxFrameTime = Duration.seconds(30)
        /// The time after which a connection without activity is closed (`connections.max.idle.ms`).
        package var maxConnectionIdle = Duration.seconds(600)
        /// The largest number of bytes of responses that wait for clients to read them, over all connections.
        ///
        /// Beyond that Fetch returns no records, and the connection that holds most is closed.
        package var maxResponseBytes = 256 << 20
        /// The largest Fetch response in bytes, whatever the client asks for.
        package var maxFetchBytes = 50 << 20
        /// The number of the newest bytes of each partition that stay in memory.
        package var cacheBytesPerPartition = 1 << 20
        /// The largest number of connections; a further one replaces the one whose client has been waited for longest.
        package var maxConnections = 1_000
        /// The number of unanswered requests of one connection above which no more are read.
        package var maxRequestsPerConnection = 32
        /// The limits on what clients may create.
        package var limits = Limits()
        /// The durability that a commit waits for.
        package var synchronous = Synchronous.normal

        /// The limits on what clients may create; a request beyond them is refused and logged.
        package struct Limits: Sendable {
            package var topics = 1_000
            /// Partitions of all topics.
            package var partitions = 20_000
            /// Consumer groups.
            package var groups = 10_000
            /// Members of one group, including those that have only asked for an id (`group.max.size`).
            package var groupMembers = 1_000
            /// Bytes of one member's subscriptions.
            package var memberBytes = 256 << 10
            /// Bytes of all groups' subscriptions and assignments.
            package var groupBytes = 64 << 20
            /// Bytes of all groups' committed offsets, and of the offsets that open transactions hold.
            package var offsetBytes = 64 << 20
            package var transactionalIDs = 10_000
            /// Transactions that are open at once.
            package var openTransactions = 1_000
            /// Partitions, and groups, of one transaction.
            package var transactionPartitions = 1_000
            /// Producers whose sequence numbers are remembered, over all partitions; beyond the limit the oldest are
            /// forgotten.
            package var producers = 100_000
            /// Partitions that all waiting Fetches together wait for; a Fetch beyond the limit does not wait.
            package var waitingPartitions = 100_000

            package init() {}
        }

        /// Creates the default configuration for a file.
        package init(path: String) {
            self.path = path
        }

        /// The durability that a commit waits for.
        package enum Synchronous: String, Sendable {
            /// The operating system: acknowledged data survives a crash of the process, but not of the machine.
            case normal = "NORMAL"
            /// The disk: acknowledged data survives a crash of the machine as well.
            case full = "FULL"
        }
    }
}
