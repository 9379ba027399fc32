internal import IntentEvents
internal import IntentOperations
internal import IntentRuntime
internal import Logging
internal import Synchronization
internal import Telemetry

/// One membership of the webhook's group: reads, posts, writes dead letters, commits (R88).
///
/// One task owns it; the posts run in tasks of their own, and wake its lane when they end.
struct WebhookSession {
    /// The results of posts that have ended.
    private final class Inbox: Sendable {
        private let results = Mutex<[(post: WebhookQueue.Post, result: Webhook.Result, duration: Duration)]>([])

        func add(_ post: WebhookQueue.Post, _ result: Webhook.Result, _ duration: Duration) {
            self.results.withLock { $0.append((post, result, duration)) }
        }

        func popAll() -> [(post: WebhookQueue.Post, result: Webhook.Result, duration: Duration)] {
            self.results.withLock { results in
                defer { results = [] }
                return results
            }
        }
    }

    private let service: WebhookService
    private let log: any EventLog
    private let lane: any TransactionalLane
    /// Where partitions begin for which the group has no offset.
    private let firstStarts: [TopicPartition: Int64]
    private let inbox = Inbox()
    private var queue: WebhookQueue
    /// Whether the group has assigned partitions, or none because others have them all.
    private var isAssigned = false
    private var tasks: [WebhookQueue.Key: Task<Void, Never>] = [:]
    /// The dead letters that are written with the next commit.
    private var letters: [OutgoingRecord] = []
    private var committedAt: Duration
    /// Whether the last post has failed; only changes are logged.
    private var isFailing = false

    private var clock: any RuntimeClock { self.service.configuration.clock }

    init(
        _ service: WebhookService,
        log: any EventLog,
        lane: any TransactionalLane,
        firstStarts: [TopicPartition: Int64]
    ) {
        self.service = service
        self.log = log
        self.lane = lane
        self.firstStarts = firstStarts
        self.queue = WebhookQueue(WebhookQueue.Configuration(retryFor: service.webhook.retryFor))
        self.committedAt = service.configuration.clock.uptime
    }

    /// Runs until the task is cancelled.
    /// - Throws: ``LogError``.
    mutating func run() async throws {
        do {
            while !Task.isCancelled { try await self.round() }
            try await self.drain()
        } catch {
            self.cancelPosts()
            throw error
        }
    }

    private mutating func round() async throws {
        let events = try await self.lane.poll(
            maxRecords: self.service.configuration.maxRecords,
            timeout: self.pollTimeout
        )
        if events.isEmpty { self.queue.reach(await self.lane.positions()) }
        for event in events {
            switch event {
            case .assigned(let offsets): try await self.begin(offsets)
            case .revoked(_, let lost):
                self.takeResults()
                if !lost { try await self.commit() }
                self.cancelPosts()
                self.queue.assign([:])
                self.isAssigned = false
                self.letters = []
                try await self.lane.release()
            case .records(let records): for record in records { self.add(record) }
            }
        }
        self.takeResults()
        self.startPosts()
        try await self.control()
        if self.isCommitDue { try await self.commit() }
        if events.isEmpty, self.isAssigned, self.queue.count == 0, !self.hasProgress { self.service.noteProgress() }
        self.service.note(self.isAssigned ? self.queue : nil)
    }

    private var pollTimeout: Duration {
        let now = self.clock.uptime
        var wait = self.service.configuration.pollTimeout
        if let due = self.queue.due { wait = min(wait, due - now) }
        if self.hasProgress {
            wait = min(wait, self.committedAt + self.service.configuration.commitDelay - now)
        }
        return max(wait, .zero)
    }

    // MARK: Partitions

    private mutating func begin(_ committed: [TopicPartition: Int64?]) async throws {
        let extents = try await TopicExtents.ask(self.log, Array(committed.keys))
        var starts: [TopicPartition: Int64] = [:]
        for (partition, offset) in committed {
            starts[partition] = offset ?? max(self.firstStarts[partition] ?? 0, extents.earliest[partition] ?? 0)
        }
        let losses = try extents.losses(starts.mapValues { $0 })
        if !losses.isEmpty {
            self.service.logger.error(
                "Retention has removed events before the webhook took them; continuing without them",
                metadata: [
                    TelemetryKey.errorMessage: "\(LogError.eventsLost(losses, by: "the webhook's group"))"
                ]
            )
        }
        for loss in losses { starts[loss.partition] = loss.earliest }
        self.cancelPosts()
        self.queue.assign(starts)
        self.isAssigned = true
        try await self.lane.start(at: starts.mapValues { $0 })
        // A group without offsets would begin later if this gateway stopped before the first event.
        let new = starts.filter { committed[$0.key] != .some($0.value) }
        if !new.isEmpty { try await self.lane.commit(LaneCommit(records: [], offsets: new)) }
    }

    private mutating func add(_ record: LogRecord) {
        let key = WebhookQueue.Key(partition: record.topicPartition, offset: record.offset)
        var item: WebhookQueue.Item?
        if let read = ViewedEvent(record, of: self.service.deployment),
            let event = UserEvent(read.event, body: read.body), self.service.webhook.types.contains(event.type)
        {
            let position = RecordPosition(read.topic, read.partition, read.offset)
            item = WebhookQueue.Item(
                key: key,
                user: read.event.userID,
                writtenAt: read.writtenAt,
                message: WebhookMessage(event, at: position, of: self.service.deployment),
                record: record
            )
        }
        self.queue.add(key, item)
    }

    /// Reads no more of the partitions whose window is full.
    private mutating func control() async throws {
        let (pause, resume) = self.queue.flow()
        if !pause.isEmpty { try await self.lane.pause(pause) }
        if !resume.isEmpty { try await self.lane.resume(resume) }
    }

    /// Whether there is something to commit.
    private var hasProgress: Bool { !self.queue.progress.isEmpty || !self.letters.isEmpty }

    private var isCommitDue: Bool {
        self.hasProgress && self.clock.uptime - self.committedAt >= self.service.configuration.commitDelay
    }

    /// Writes the dead letters, then commits what is settled.
    private mutating func commit() async throws {
        var offsets = self.queue.progress
        if offsets.isEmpty, !self.letters.isEmpty { offsets = self.queue.settled }
        guard !offsets.isEmpty else { return }
        try await self.lane.commit(LaneCommit(records: self.letters, offsets: offsets))
        for _ in self.letters { self.service.countDeadLetter() }
        self.letters = []
        self.queue.commit(offsets)
        self.committedAt = self.clock.uptime
        self.service.noteProgress()
    }

    // MARK: Posts

    private mutating func startPosts() {
        for post in self.queue.next(at: self.clock.uptime) {
            let (service, lane, inbox) = (self.service, self.lane, self.inbox)
            self.tasks[post.item.key] = Task {
                let began = ContinuousClock.now
                let message = post.item.message
                // Only a cancelled post has no result: then the event is posted again, by this gateway or another one.
                guard let result = try? await service.webhook.post(message, at: service.configuration.clock.now) else {
                    return
                }
                inbox.add(post, result, .now - began)
                lane.wake()
            }
        }
    }

    private mutating func cancelPosts() {
        for task in self.tasks.values { task.cancel() }
        self.tasks = [:]
    }

    private mutating func takeResults() {
        for (post, result, duration) in self.inbox.popAll() {
            let verdict = self.queue.settle(
                result,
                of: post,
                at: self.clock.uptime,
                time: self.clock.now,
                jitter: .random(in: 0...1)
            )
            guard let verdict else { continue }
            self.tasks[post.item.key] = nil
            switch verdict {
            case .delivered:
                self.service.count("delivered", in: duration)
                if self.isFailing { self.service.logger.notice("The webhook takes events again") }
                self.isFailing = false
            case .again(let delay):
                self.service.count("retried", in: duration)
                self.report(result, delay)
            case .dead(let item, let reason):
                self.service.count("deadLettered", in: duration)
                self.letters.append(self.letter(of: item, reason))
                self.service.logger.error(
                    "An event was not delivered to the webhook, and goes to the dead letters",
                    metadata: [
                        TelemetryKey.errorMessage: "\(reason)", TelemetryKey.messageID: "\(item.message.id)",
                    ]
                )
            }
        }
    }

    private mutating func report(_ result: Webhook.Result, _ delay: Duration) {
        guard let reason = result.reason, !self.isFailing else { return }
        self.isFailing = true
        self.service.logger.warning(
            "A post to the webhook has failed; it is retried, and other failures are not logged until one succeeds",
            metadata: [TelemetryKey.errorMessage: "\(reason)", TelemetryKey.retryDelay: "\(delay)"]
        )
    }

    private func letter(of item: WebhookQueue.Item, _ reason: String) -> OutgoingRecord {
        let topic = Topic(name: item.key.partition.topic, prefix: self.service.deployment.prefix) ?? .responses
        return OutgoingRecord.deadLetter(
            of: StoredRecord(item.record, topic: topic),
            at: item.key.partition,
            to: self.service.deployment.topicPartition(.deadLetters, item.key.partition.partition),
            .webhook(reason)
        )
    }

    /// Waits for the posts in progress, for a moment, and commits what they have settled.
    private mutating func drain() async throws {
        let tasks = Array(self.tasks.values)
        let timer = Task { [time = self.service.configuration.drainTime] in
            guard (try? await Task.sleep(for: time)) != nil else { return }
            for task in tasks { task.cancel() }
        }
        for task in tasks { await task.value }
        timer.cancel()
        self.takeResults()
        try await self.commit()
    }
}
