package import IntentEvents
internal import IntentKit
package import IntentRuntime
import Synchronization

/// Holds many conversations with a deployment over one producer and one reader of `responses`.
///
/// Events that are sent at the same time share a call of the producer. An event that comes back is handed to the
/// conversation that its subject names; all others are ignored. Nothing is sent or received unless ``run()`` runs.
package final class ConversationClient: Sendable {
    /// The interval at which expired waits are looked for when nothing comes.
    private static let tick = Duration.milliseconds(200)
    private static let batchSize = 5_000

    /// The `ce_source` of the events that are sent.
    package let source: String

    private let deployment: Deployment
    /// Whether interactions that handlers start are received from their beginning, for ``open(id:userID:)``.
    private let adoptsFollowUps: Bool
    private let clock: any RuntimeClock
    private let producer: any LogProducer
    private let reader: any LogReader
    private let outbox = ConversationOutbox()
    private let state = Mutex(State())

    private struct State {
        var conversations: [InteractionID: Conversation] = [:]
        /// Interactions that handlers have started and that nobody has opened yet.
        var adopted: [InteractionID: Conversation] = [:]
        /// The reason why nothing is sent or received any more.
        var ending: String?
    }

    /// Connects; reads the events written to `responses` from now on.
    ///
    /// - Parameters:
    ///   - deployment: The deployment to talk to.
    ///   - log: The log with its topics.
    ///   - source: The `ce_source` of the events that are sent.
    ///   - clock: Decides when a wait is over.
    ///   - adoptsFollowUps: Whether interactions that handlers start are received before they are opened.
    /// - Throws: ``LogError``.
    package init(
        _ deployment: Deployment,
        on log: any EventLog,
        source: String = "intentd",
        clock: any RuntimeClock = SystemRuntimeClock(),
        adoptsFollowUps: Bool = false
    ) async throws(LogError) {
        self.deployment = deployment
        self.adoptsFollowUps = adoptsFollowUps
        self.source = source
        self.clock = clock
        let partitions = deployment.topicPartitions(of: .responses)
        self.reader = try await log.makeReader(from: try await log.offsets(partitions, at: .end))
        do {
            self.producer = try await log.makeProducer()
        } catch {
            await self.reader.close()
            throw error
        }
    }

    var now: Timestamp { self.clock.now }

    /// Sends and receives until the task is cancelled; then closes reader and producer.
    ///
    /// - Throws: ``LogError`` when the log fails; conversations end with it.
    package func run() async throws(LogError) {
        let failure = await withTaskGroup(of: LogError?.self) { group in
            group.addTask { await self.sendAll() }
            group.addTask {
                let failure = await self.receiveAll()
                self.end(failure)
                return failure
            }
            var first: LogError?
            for await failure in group { first = first ?? failure }
            return first
        }
        await self.reader.close()
        await self.producer.close()
        if let failure { throw failure }
    }

    /// Begins a conversation; events about this interaction go to it until it is closed.
    ///
    /// - Parameters:
    ///   - id: The interaction's id; no other open conversation may have it.
    ///   - userID: The user who asks.
    /// - Returns: The conversation; nothing has been sent yet. One that a handler has started has what came already.
    package func open(id: InteractionID, userID: UserID) -> Conversation {
        let (conversation, ending) = self.state.withLock { state -> (Conversation, String?) in
            let adopted = state.adopted.removeValue(forKey: id)
            let conversation = adopted ?? Conversation(id: id, userID: userID, client: self)
            let other = state.conversations.updateValue(conversation, forKey: id)
            precondition(other == nil, "two conversations have the id \(id)")
            return (conversation, state.ending)
        }
        if let ending { conversation.fail(.clientEnded(ending)) }
        return conversation
    }

    /// Sends events to their users' home partitions in this order, and returns when they are acknowledged.
    package func send(_ events: [Event]) async throws(LogError) {
        let records = events.map { self.deployment.request($0) }
        try await self.outbox.add(records).get()
    }

    /// Ends a conversation.
    func forget(_ conversation: Conversation) {
        self.state.withLock { state in
            guard state.conversations[conversation.id] === conversation else { return }
            state.conversations[conversation.id] = nil
        }
    }

    // MARK: Loops

    private func sendAll() async -> LogError? {
        var failure: LogError?
        while let batch = await self.outbox.next() {
            let result: Result<Void, LogError>
            do throws(LogError) {
                _ = try await self.producer.send(batch.records)
                result = .success(())
            } catch {
                failure = failure ?? (error.isRetriable ? nil : error)
                result = .failure(error)
            }
            for sender in batch.senders { sender.resume(returning: result) }
        }
        return failure
    }

    private func receiveAll() async -> LogError? {
        var checkedAt = self.clock.now
        var lastHeard = checkedAt
        while !Task.isCancelled {
            let batch: ReaderBatch
            do throws(LogError) {
                batch = try await self.reader.next(maxRecords: Self.batchSize, timeout: Self.tick)
            } catch {
                return error
            }
            if self.adoptsFollowUps { for record in batch.records { self.adopt(record) } }
            for record in batch.records { self.route(record) }
            let now = self.clock.now
            if !batch.records.isEmpty { lastHeard = now }
            guard now - checkedAt >= Self.tick.milliseconds else { continue }
            checkedAt = now
            let open = self.state.withLock { Array($0.conversations.values) }
            for conversation in open { conversation.expire(at: now, lastHeard: lastHeard) }
        }
        return nil
    }

    /// Begins to receive what a response says was started; its own events come in the same batch or in a later one.
    private func adopt(_ record: LogRecord) {
        guard record.header(EventHeaderName.type) == EventType.intentResponded.rawValue,
            let value = record.value, let started = (try? JSONValue(parsing: value))?["started"]?.array
        else { return }
        let user = record.header(EventHeaderName.userID) ?? ""
        self.state.withLock { state in
            for one in started {
                guard let id = one["interaction"]?.string.map({ InteractionID($0) }), state.conversations[id] == nil,
                    state.adopted[id] == nil
                else { continue }
                state.adopted[id] = Conversation(id: id, userID: UserID(one["user"]?.string ?? user), client: self)
            }
        }
    }

    private func route(_ record: LogRecord) {
        guard let subject = record.header(EventHeaderName.subject).map({ InteractionID($0) }),
            let conversation = self.state.withLock({ $0.conversations[subject] ?? $0.adopted[subject] })
        else { return }
        let position = RecordPosition(.responses, record.topicPartition.partition, record.offset)
        // Only intentd writes there; a record that cannot be read is not an event of any conversation.
        guard
            let event = try? Event(
                record.content,
                position: position,
                timestamp: Timestamp(milliseconds: record.timestamp)
            )
        else { return }
        conversation.receive(event)
    }

    private func end(_ failure: LogError?) {
        self.outbox.close(failure ?? LogError(.closed, "the conversations were ended"))
        let reason = failure?.description ?? "the conversations were ended"
        let open = self.state.withLock { state in
            state.ending = reason
            return Array(state.conversations.values)
        }
        for conversation in open { conversation.fail(.clientEnded(reason)) }
    }
}
