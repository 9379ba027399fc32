internal import IntentEvents
internal import IntentOperations
internal import IntentRuntime

/// What one gateway has read of users' events and not settled yet: which one is posted next, when a failed one is
/// posted again, and up to where everything is settled (R88).
///
/// A value: its owner reads, posts, writes and commits. An event is settled when it was delivered or given up. A user's
/// events are posted one after the other; other users' events do not wait for them.
struct WebhookQueue: Sendable {
    struct Configuration: Sendable {
        /// How many unsettled events of a partition are read, before reading it pauses.
        var window = 256
        /// The size of them in bytes.
        var windowBytes = 4 << 20
        /// The most posts at a time.
        var concurrency = 32
        /// How long after an event was written its post is retried.
        var retryFor: Duration
        /// The posts that every event gets, however old it is: a webhook may be up again after a long outage.
        var leastAttempts = 3
        /// The wait after a first failure; doubled with each further one.
        var firstDelay = Duration.milliseconds(500)
        var longestDelay = Duration.seconds(300)
        /// The longest wait that a receiver can ask for.
        var longestRetryAfter = Duration.seconds(3_600)

        init(retryFor: Duration) { self.retryFor = retryFor }
    }

    /// The place of an event.
    struct Key: Hashable, Sendable {
        var partition: TopicPartition
        var offset: Int64
    }

    /// An event to post.
    struct Item: Sendable {
        var key: Key
        var user: UserID
        var writtenAt: Timestamp
        var message: WebhookMessage
        /// The record, for a dead letter.
        var record: LogRecord

        fileprivate var size: Int { self.message.body.count + self.record.content.byteCount }
    }

    /// A post that is to be made now.
    struct Post: Sendable {
        var item: Item
        /// The assignment in which it began; in another one its result counts for nothing.
        var assignment: Int
    }

    /// What follows from the result of a post.
    enum Verdict: Sendable {
        case delivered
        case again(after: Duration)
        /// It is given up: the record goes to the dead letters before its offset is committed.
        case dead(Item, String)
    }

    private struct Waiting {
        var item: Item
        var attempts = 0
    }

    /// The events of a user, of which the first one is posted.
    private struct Line {
        enum State {
            /// In `ready`. Goes to `posting`.
            case ready
            /// Goes to `pausing`, or to `ready` for the next event.
            case posting
            /// Until the next attempt. Goes to `ready`.
            case pausing(until: Duration)
        }

        var keys: ArraySlice<Key>
        var state = State.ready
    }

    private struct Partition {
        /// The offset after the last record that was read.
        var position: Int64
        var committed: Int64
        /// The offsets of unsettled events, in order.
        var unsettled: [Int64] = []
        var bytes = 0
        var isPaused = false

        /// The offset before which everything is settled.
        var settled: Int64 { self.unsettled.first ?? self.position }
    }

    let configuration: Configuration
    private var assignment = 0
    private var partitions: [TopicPartition: Partition] = [:]
    private var items: [Key: Waiting] = [:]
    private var lines: [UserID: Line] = [:]
    /// The users whose next event can be posted, in order.
    private var ready: ArraySlice<UserID> = []
    private(set) var posting = 0

    init(_ configuration: Configuration) { self.configuration = configuration }

    // MARK: Partitions

    /// Begins with these partitions, and forgets all others.
    mutating func assign(_ starts: [TopicPartition: Int64]) {
        self = WebhookQueue(self.configuration, assignment: self.assignment + 1)
        self.partitions = starts.mapValues { Partition(position: $0, committed: $0) }
    }

    private init(_ configuration: Configuration, assignment: Int) {
        self.configuration = configuration
        self.assignment = assignment
    }

    /// Adds a record that was read, in the order of its partition; without an item nothing is posted for it.
    mutating func add(_ key: Key, _ item: Item?) {
        guard let partition = self.partitions[key.partition], key.offset >= partition.position else { return }
        self.partitions[key.partition]?.position = key.offset + 1
        guard let item else { return }
        self.partitions[key.partition]?.unsettled.append(key.offset)
        self.partitions[key.partition]?.bytes += item.size
        self.items[key] = Waiting(item: item)
        if self.lines[item.user] == nil {
            self.lines[item.user] = Line(keys: [key])
            self.ready.append(item.user)
        } else {
            self.lines[item.user]?.keys.append(key)
        }
    }

    /// Notes that reading has passed what follows the last records: markers of transactions.
    mutating func reach(_ positions: [TopicPartition: Int64]) {
        for (topicPartition, position) in positions {
            guard let partition = self.partitions[topicPartition], position > partition.position else { continue }
            self.partitions[topicPartition]?.position = position
        }
    }

    /// The offsets that can be committed, of the partitions where there is progress.
    var progress: [TopicPartition: Int64] {
        self.partitions.filter { $0.value.settled > $0.value.committed }.mapValues(\.settled)
    }

    /// The offset before which everything is settled, of each partition.
    var settled: [TopicPartition: Int64] { self.partitions.mapValues(\.settled) }

    /// Notes that offsets were committed.
    mutating func commit(_ offsets: [TopicPartition: Int64]) {
        for (partition, offset) in offsets { self.partitions[partition]?.committed = offset }
    }

    /// The partitions whose reading has to pause, and those whose reading can resume.
    mutating func flow() -> (pause: [TopicPartition], resume: [TopicPartition]) {
        var (pause, resume): ([TopicPartition], [TopicPartition]) = ([], [])
        for (key, partition) in self.partitions {
            let isFull =
                partition.unsettled.count >= self.configuration.window
                || partition.bytes >= self.configuration.windowBytes
            let hasRoom =
                partition.unsettled.count <= self.configuration.window / 2
                && partition.bytes <= self.configuration.windowBytes / 2
            if isFull, !partition.isPaused { pause.append(key) }
            if hasRoom, partition.isPaused { resume.append(key) }
        }
        for key in pause { self.partitions[key]?.isPaused = true }
        for key in resume { self.partitions[key]?.isPaused = false }
        return (pause.sorted(), resume.sorted())
    }

    // MARK: Posts

    /// The posts to make now.
    mutating func next(at now: Duration) -> [Post] {
        for (user, line) in self.lines {
            guard case .pausing(let until) = line.state, until <= now else { continue }
            self.lines[user]?.state = .ready
            self.ready.append(user)
        }
        var posts: [Post] = []
        while self.posting < self.configuration.concurrency, let user = self.ready.popFirst() {
            guard let key = self.lines[user]?.keys.first, let waiting = self.items[key] else { continue }
            self.lines[user]?.state = .posting
            self.items[key]?.attempts += 1
            self.posting += 1
            posts.append(Post(item: waiting.item, assignment: self.assignment))
        }
        return posts
    }

    /// When the next failed post is made again; nil when none waits.
    var due: Duration? {
        self.lines.values.compactMap { if case .pausing(let until) = $0.state { until } else { nil } }.min()
    }

    /// Takes the result of a post.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - post: The post.
    ///   - now: The monotonic time.
    ///   - time: The time.
    ///   - jitter: A random number from 0 to 1, so that gateways do not post in step.
    /// - Returns: What follows; nil for a post of an earlier assignment.
    mutating func settle(
        _ result: Webhook.Result,
        of post: Post,
        at now: Duration,
        time: Timestamp,
        jitter: Double
    ) -> Verdict? {
        let (key, user) = (post.item.key, post.item.user)
        guard post.assignment == self.assignment, let waiting = self.items[key] else { return nil }
        self.posting -= 1
        switch result {
        case .delivered:
            self.remove(key, of: user)
            return .delivered
        case .refused(let reason):
            self.remove(key, of: user)
            return .dead(waiting.item, reason)
        case .failed(let reason, _), .unanswered(let reason):
            let age = Duration.milliseconds(time - waiting.item.writtenAt)
            if age >= self.configuration.retryFor, waiting.attempts >= self.configuration.leastAttempts {
                self.remove(key, of: user)
                let time = DurationText.write(self.configuration.retryFor)
                return .dead(
                    waiting.item,
                    "\(reason) (attempt \(waiting.attempts) of this gateway; given up after \(time))"
                )
            }
            let delay = self.delay(after: waiting.attempts, result.retryAfter, jitter)
            self.lines[user]?.state = .pausing(until: now + delay)
            return .again(after: delay)
        }
    }

    private func delay(after attempts: Int, _ retryAfter: Duration?, _ jitter: Double) -> Duration {
        let doubled = self.configuration.firstDelay * (1 << min(attempts - 1, 20))
        let delay = min(doubled, self.configuration.longestDelay) * (0.5 + 0.5 * jitter)
        return max(delay, min(retryAfter ?? .zero, self.configuration.longestRetryAfter))
    }

    private mutating func remove(_ key: Key, of user: UserID) {
        if let item = self.items.removeValue(forKey: key)?.item {
            self.partitions[key.partition]?.bytes -= item.size
        }
        if let index = self.partitions[key.partition]?.unsettled.firstIndex(of: key.offset) {
            self.partitions[key.partition]?.unsettled.remove(at: index)
        }
        guard var line = self.lines[user] else { return }
        line.keys.removeFirst()
        line.state = .ready
        self.lines[user] = line.keys.isEmpty ? nil : line
        if !line.keys.isEmpty { self.ready.append(user) }
    }

    /// When the oldest unsettled event was written; nil when there is none.
    var oldest: Timestamp? { self.items.values.map(\.item.writtenAt).min() }

    /// How many events are not settled.
    var count: Int { self.items.count }
}
