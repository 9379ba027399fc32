internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import Logging
internal import Synchronization
internal import Telemetry

/// Passes users' events on to their streams: new ones as the view reads them, earlier ones from the topics.
///
/// All streams share the view's reader. Those that are behind share one more: a pass over the topics serves all of
/// them, so that thousands that come back at once cost one reader.
final class EventHub: Sendable {
    /// The most streams at once.
    static let streamLimit = 50_000
    /// How long one pass reads at most, so that a stream that is far behind delays others little.
    private static let passLimit = Duration.seconds(2)
    /// A stream with fewer records before it is served before those that are further behind.
    private static let nearRecords: Int64 = 20_000

    private struct State {
        var count = 0
        var isEnded = false
        /// What was read, by partition of the user.
        var published: [Int: EventPosition] = [:]
        var streams: [UserID: [EventStreamCore]] = [:]
    }

    let timer: any Clock<Duration>
    private let log: any EventLog
    private let deployment: Deployment
    private let logger: Logger
    private let state = Mutex(State())
    private let readingRequest = Signal()

    init(log: any EventLog, deployment: Deployment, timer: any Clock<Duration>, logger: Logger) {
        self.log = log
        self.deployment = deployment
        self.timer = timer
        self.logger = logger
    }

    // MARK: New events

    /// Passes on what was read up to these positions.
    func publish(_ events: [ViewedEvent], _ positions: [TopicPartition: Int64]) {
        self.state.withLock { state in
            for event in events where event.topic != .requests {
                guard let streams = state.streams[event.event.userID] else { continue }
                var position = self.published(event.partition, state)
                position[event.topic] = event.offset + 1
                guard let delivered = GatewayEvent(event, at: position) else { continue }
                for stream in streams {
                    let isNew = stream.buffer.withLock { $0.add(live: delivered, event.topic, event.offset) }
                    if isNew { stream.signal.change() }
                }
            }
            for topic in EventPosition.topics {
                for partition in 0..<self.deployment.partitions {
                    guard let next = positions[self.deployment.topicPartition(topic, partition)] else { continue }
                    var position = self.published(partition, state)
                    position[topic] = next
                    state.published[partition] = position
                }
            }
        }
    }

    private func published(_ partition: Int, _ state: borrowing State) -> EventPosition {
        state.published[partition] ?? EventPosition(self.deployment, responses: 0, activities: 0)
    }

    // MARK: Streams

    /// Opens a stream of a user's events: from a place on, or from now on.
    /// - Throws: ``GatewayError``: `positionExpired`, `tooManyRequests`, `unavailable`.
    func open(_ user: UserID, after position: EventPosition?) async throws(GatewayError) -> EventStream {
        let partition = self.deployment.home(of: user)
        if let position { try await self.check(position, partition) }
        let core = self.state.withLock { state -> EventStreamCore? in
            guard state.count < Self.streamLimit, !state.isEnded else { return nil }
            let published = self.published(partition, state)
            let isLive = position.map { position in
                EventPosition.topics.allSatisfy { position[$0] >= published[$0] }
            }
            let core = EventStreamCore(
                user,
                partition,
                StreamBuffer(from: position ?? published, isLive: isLive ?? true)
            )
            state.streams[user, default: []].append(core)
            state.count += 1
            return core
        }
        guard let core else {
            throw GatewayError(.unavailable, "This replica takes no more streams of events.", retryAfter: 5)
        }
        return EventStream(core, self)
    }

    /// Checks that the topics hold what follows a place.
    private func check(_ position: EventPosition, _ partition: Int) async throws(GatewayError) {
        let published = self.state.withLock { self.published(partition, $0) }
        guard position.fits(self.deployment) else { throw Self.expired }
        guard EventPosition.topics.contains(where: { position[$0] != published[$0] }) else { return }
        let partitions = EventPosition.topics.map { self.deployment.topicPartition($0, partition) }
        let extents: TopicExtents
        do {
            extents = try await TopicExtents.ask(self.log, partitions)
        } catch {
            throw GatewayError(.unavailable, "Kafka does not answer; try again soon.", retryAfter: 2)
        }
        for topic in EventPosition.topics {
            let topicPartition = self.deployment.topicPartition(topic, partition)
            guard position[topic] >= extents.earliest[topicPartition] ?? 0,
                position[topic] <= extents.ends[topicPartition] ?? .max
            else { throw Self.expired }
        }
    }

    private static let expired = GatewayError(
        .positionExpired,
        "The topics no longer hold the events after that position: read the open interactions, and begin without a position."
    )

    func remove(_ core: EventStreamCore) {
        self.state.withLock { state in
            guard var streams = state.streams[core.user], let index = streams.firstIndex(where: { $0 === core })
            else { return }
            streams.remove(at: index)
            state.streams[core.user] = streams.isEmpty ? nil : streams
            state.count -= 1
        }
    }

    /// The place up to which a stream has delivered everything.
    func position(of core: EventStreamCore) -> EventPosition {
        self.state.withLock { state in
            core.buffer.withLock { buffer in
                guard case .live = buffer.mode, buffer.isEmpty else { return buffer.position }
                var position = self.published(core.partition, state)
                for topic in EventPosition.topics { position[topic] = max(position[topic], buffer.position[topic]) }
                return position
            }
        }
    }

    /// Ends all streams, and takes no more.
    func end() {
        let streams = self.state.withLock { state in
            state.isEnded = true
            return state.streams.values.flatMap(\.self)
        }
        for stream in streams {
            stream.buffer.withLock { $0.end(nil) }
            stream.signal.change()
        }
    }

    // MARK: Earlier events

    /// Asks for a pass over the topics.
    func requestReading() { self.readingRequest.change() }

    /// Serves streams that are behind, until its task is cancelled.
    func run() async {
        var servesFar = false
        while !Task.isCancelled {
            let waiting = self.behind()
            guard !waiting.isEmpty else {
                _ = await self.readingRequest.wait(for: nil, clock: self.timer)
                continue
            }
            let near = waiting.filter { $0.distance <= Self.nearRecords }
            let far = waiting.filter { $0.distance > Self.nearRecords }
            let served = near.isEmpty || servesFar && !far.isEmpty ? far : near
            servesFar.toggle()
            do {
                try await self.pass(served.map(\.stream))
            } catch {
                for stream in served { stream.stream.buffer.withLock { $0.stopJoining() } }
                if Task.isCancelled { return }
                self.logger.warning(
                    "Earlier events could not be read for streams; trying again",
                    metadata: [TelemetryKey.errorMessage: "\(error)", TelemetryKey.count: "\(served.count)"]
                )
                try? await self.timer.sleep(for: .seconds(1))
            }
        }
    }

    /// The streams that wait for earlier events, with the number of records before what is new.
    private func behind() -> [(stream: EventStreamCore, distance: Int64)] {
        self.state.withLock { state in
            state.streams.values.joined()
                .compactMap { stream in
                    let (needsReading, position) = stream.buffer.withLock { ($0.needsReading, $0.position) }
                    guard needsReading else { return nil }
                    let published = self.published(stream.partition, state)
                    let distance = EventPosition.topics.map { max(0, published[$0] - position[$0]) }.reduce(0, +)
                    return (stream, distance)
                }
        }
    }

    /// Reads the topics once for these streams: from the first of their places up to what was published.
    private func pass(_ streams: [EventStreamCore]) async throws {
        var targets: [TopicPartition: Int64] = [:]
        var starts: [TopicPartition: Int64] = [:]
        self.state.withLock { state in
            for stream in streams {
                let position = stream.buffer.withLock { buffer in
                    buffer.join()
                    return buffer.position
                }
                for topic in EventPosition.topics {
                    let partition = self.deployment.topicPartition(topic, stream.partition)
                    targets[partition] = self.published(stream.partition, state)[topic]
                    starts[partition] = min(starts[partition] ?? .max, position[topic])
                }
            }
        }
        try await self.expire(streams, Array(starts.keys))
        var open = starts.filter { $0.value < targets[$0.key] ?? 0 }
        let earliest = try await self.log.offsets(Array(open.keys), at: .earliest)
        open = open.merging(earliest) { max($0, $1) }
        var reached = starts.merging(targets) { min($0, $1) }
        if !open.isEmpty { try await self.read(open, targets, for: streams, &reached) }
        for stream in streams {
            var position = EventPosition(self.deployment, responses: 0, activities: 0)
            var isComplete = true
            for topic in EventPosition.topics {
                let partition = self.deployment.topicPartition(topic, stream.partition)
                position[topic] = min(reached[partition] ?? 0, targets[partition] ?? 0)
                isComplete = isComplete && reached[partition] ?? 0 >= targets[partition] ?? 0
            }
            stream.buffer.withLock { buffer in
                buffer.pass(position)
                if isComplete { buffer.finishJoining() } else { buffer.stopJoining() }
            }
            stream.signal.change()
        }
    }

    /// Ends the streams whose next events the topics no longer hold.
    private func expire(_ streams: [EventStreamCore], _ partitions: [TopicPartition]) async throws {
        let earliest = try await self.log.offsets(partitions, at: .earliest)
        for stream in streams {
            let isExpired = stream.buffer.withLock { buffer in
                let isExpired = EventPosition.topics.contains { topic in
                    buffer.position[topic] < earliest[self.deployment.topicPartition(topic, stream.partition)] ?? 0
                }
                if isExpired { buffer.end(Self.expired) }
                return isExpired
            }
            if isExpired { stream.signal.change() }
        }
    }

    /// Reads from these offsets to the targets, or until the time of a pass is over.
    private func read(
        _ starts: [TopicPartition: Int64],
        _ targets: [TopicPartition: Int64],
        for streams: [EventStreamCore],
        _ reached: inout [TopicPartition: Int64]
    ) async throws {
        let users = Dictionary(grouping: streams, by: \.user)
        let deadline = ContinuousClock.now + Self.passLimit
        let reader = try await self.log.makeReader(from: starts)
        do {
            var open = Set(starts.keys)
            while !open.isEmpty, .now < deadline {
                try Task.checkCancellation()
                let batch = try await reader.next(maxRecords: 4_000, timeout: .milliseconds(200))
                for record in batch.records where record.offset < targets[record.topicPartition] ?? 0 {
                    guard let user = record.key.map({ UserID(String(decoding: $0, as: UTF8.self)) }),
                        let streams = users[user], let event = ViewedEvent(record, of: self.deployment)
                    else { continue }
                    let position = EventPosition(self.deployment, responses: 0, activities: 0)
                    guard let read = GatewayEvent(event, at: position) else { continue }
                    for stream in streams {
                        _ = stream.buffer.withLock { $0.add(read: read, event.topic, event.offset) }
                        stream.signal.change()
                    }
                }
                for (partition, position) in batch.positions {
                    reached[partition] = position
                    if position >= targets[partition] ?? 0 { open.remove(partition) }
                }
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }
}
