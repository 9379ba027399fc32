internal import InMemoryLog
internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// A lane over a network, in a process that may be killed or stopped at every step.
struct SimulatedLane: TransactionalLane {
    private let lane: any TransactionalLane
    private let configuration: LaneConfiguration
    private let world: World
    private let connection: Connection

    /// Puts a network in front of a lane.
    init(_ lane: any TransactionalLane, _ configuration: LaneConfiguration, _ world: World, _ connection: Connection) {
        self.lane = lane
        self.configuration = configuration
        self.world = world
        self.connection = connection
    }

    func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent] {
        let events = try await self.lane.poll(maxRecords: self.world.faults.limit(maxRecords), timeout: timeout)
        if !events.isEmpty {
            self.world.trace.record(
                "\(self.configuration.group): polls \(events.map(\.summary).joined(separator: ", "))"
            )
            await self.world.faults.hop(.fetched)
        }
        return events
    }

    func start(at offsets: [TopicPartition: Int64?]) async throws(LogError) {
        let lane = self.lane
        try await self.connection.call("start") { () async throws(LogError) in try await lane.start(at: offsets) }
    }

    func release() async throws(LogError) {
        let lane = self.lane
        try await self.connection.call("release") { () async throws(LogError) in try await lane.release() }
    }

    func commit(_ batch: LaneCommit) async throws(LogError) {
        let world = self.world
        let lane = self.lane
        await world.faults.hop(.commit)
        let configuration = self.configuration
        world.trace.record(
            "\(configuration.group): commits \(batch.records.count) records, \(batch.offsets.count) offsets"
        )
        if configuration.delivery == .atLeastOnce {
            // Two requests, as in Kafka: what happens between them is why it is not the default.
            let producer = try await world.log.makeProducer()
            try await self.connection.call("write", at: .commit) { () async throws(LogError) in
                _ = try await producer.send(batch.records)
                world.recordCommitted(batch.records)
            }
            try await self.connection.call("commit offsets", at: .commit) { () async throws(LogError) in
                try await lane.commit(LaneCommit(records: [], offsets: batch.offsets))
            }
            return
        }
        let isTimedOut = world.faults.fails("the transaction takes too long", 0.3)
        let isLost = world.faults.fails("the answer to the commit gets lost", 0.5)
        let isApplied = world.faults.coin()
        do throws(LogError) {
            try await self.connection.call("commit", at: .committed) { () async throws(LogError) in
                if isTimedOut {
                    world.log.inject(.commit(LogError(.fenced, "the transaction took too long and was aborted")))
                } else if isLost {
                    world.log.inject(.outcomeUnknown(applied: isApplied))
                }
                do throws(LogError) {
                    try await lane.commit(batch)
                    world.recordCommitted(batch.records)
                } catch {
                    if isLost, isApplied, error.code == .outcomeUnknown { world.recordCommitted(batch.records) }
                    world.log.forgetFaults()
                    throw error
                }
            }
        } catch {
            world.trace.record("\(configuration.group): commit fails: \(error)")
            // A missing answer is waited for.
            if error.code == .outcomeUnknown { await world.faults.hop(.committed) }
            throw error.code == .unavailable ? LogError(.outcomeUnknown, error.message) : error
        }
        world.trace.record("\(configuration.group): has committed")
        world.setbacks.recordCommitted(batch.records, by: self.connection.process)
    }

    func pause(_ partitions: [TopicPartition]) async throws(LogError) { try await self.lane.pause(partitions) }

    func resume(_ partitions: [TopicPartition]) async throws(LogError) { try await self.lane.resume(partitions) }

    func positions() async -> [TopicPartition: Int64] { await self.lane.positions() }

    func wake() { self.lane.wake() }

    func close(_ departure: LaneDeparture) async {
        let lane = self.lane
        try? await self.connection.call("leave") { () async throws(LogError) in await lane.close(departure) }
        // Whether or not the log has received it, a process that still runs finally tries to leave.
        await self.lane.close(departure)
    }
}

extension LaneEvent {
    /// A short description for the trace.
    fileprivate var summary: String {
        switch self {
        case .assigned(let partitions): "assigned \(Set(partitions.keys.map(\.partition)).sorted())"
        case .revoked(let partitions, let lost):
            "revoked \(Set(partitions.map(\.partition)).sorted())\(lost ? ", lost" : "")"
        case .records(let records):
            records.map { "\($0.topicPartition)@\($0.offset) \($0.header(EventHeaderName.type) ?? "")" }
                .joined(separator: " ")
        }
    }
}
