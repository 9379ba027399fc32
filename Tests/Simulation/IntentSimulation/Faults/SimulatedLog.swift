internal import InMemoryLog
internal import IntentEvents
internal import IntentRuntime

/// The log as one process sees it: calls take time, may fail, and reach the log even if the caller is killed meanwhile.
struct SimulatedLog: EventLog {
    private let world: World
    private let connection: Connection

    /// Connects a process to the log.
    init(_ world: World, _ process: SimulatedProcess) {
        self.world = world
        self.connection = Connection(world: world, process: process)
    }

    func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        let world = self.world
        let process = self.connection.process
        let lane = try await self.connection.call("join \(configuration.group)") { () async throws(LogError) in
            let lane = try await world.log.makeLane(configuration)
            world.faults.record(lane, name: configuration.name, group: configuration.group, of: process)
            return lane
        }
        return SimulatedLane(lane, configuration, world, self.connection)
    }

    func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader {
        let log = self.world.log
        let reader = try await self.connection.call("read") { () async throws(LogError) in
            try await log.makeReader(from: offsets)
        }
        return SimulatedReader(reader: reader, faults: self.world.faults)
    }

    func makeProducer() async throws(LogError) -> any LogProducer {
        SimulatedProducer(producer: try await self.world.log.makeProducer(), connection: self.connection)
    }

    func createTopics(_ topics: [TopicDescription]) async throws(LogError) -> Set<TopicName> {
        try await self.world.log.createTopics(topics)
    }

    func topics() async throws(LogError) -> [TopicDescription] { try await self.world.log.topics() }

    func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) async throws(LogError) -> [TopicPartition: Int64] {
        let world = self.world
        return try await self.connection.call("offsets") { () async throws(LogError) in
            let offsets = try await world.log.offsets(partitions, at: query)
            guard query == .end, world.faults.fails("offsets: a broker answers that leads no more") else {
                return offsets
            }
            // It knows nothing of what was written since others took over.
            let earliest = try await world.log.offsets(partitions, at: .earliest)
            return world.faults.older(offsets, since: earliest)
        }
    }

    func committedOffsets(
        group: GroupName,
        partitions: [TopicPartition]
    ) async throws(LogError) -> [TopicPartition: Int64] {
        let log = self.world.log
        return try await self.connection.call("committed offsets") { () async throws(LogError) in
            try await log.committedOffsets(group: group, partitions: partitions)
        }
    }

    func close() async {}
}

/// One process's connection to the log.
struct Connection: Sendable {
    let world: World
    let process: SimulatedProcess

    /// Makes a call: the request travels, the log acts, the answer travels.
    ///
    /// The log acts independently of the caller, whatever happens to the caller meanwhile.
    func call<Value: Sendable>(
        _ what: String,
        at point: Faults.Point = .request,
        _ body: @escaping @Sendable () async throws(LogError) -> Value
    ) async throws(LogError) -> Value {
        let world = self.world
        if world.faults.fails("\(what): the log does not answer", 0.3) {
            await world.faults.hop(point)
            throw LogError(.unavailable, "\(what): nobody answers", isRetriable: true)
        }
        let request = world.faults.latency()
        let result: Result<Value, LogError> = await withCheckedContinuation { continuation in
            world.scheduler.at(request) {
                _ = world.scheduler.spawn(in: world.scheduler.world) {
                    let result: Result<Value, LogError>
                    do throws(LogError) {
                        result = .success(try await body())
                    } catch {
                        result = .failure(error)
                    }
                    continuation.resume(returning: result)
                }
            }
            world.faults.meet(point, of: self.process)
        }
        await world.faults.hop(.answer)
        return try result.get()
    }
}

/// Reads as a process that may be killed at any time.
struct SimulatedReader: LogReader {
    let reader: any LogReader
    let faults: Faults

    func next(maxRecords: Int, timeout: Duration) async throws(LogError) -> ReaderBatch {
        await self.faults.hop(.restoring)
        if self.faults.fails("reading: the log does not answer", 0.3) {
            throw LogError(.unavailable, "reading: nobody answers", isRetriable: true)
        }
        return try await self.reader.next(maxRecords: self.faults.limit(maxRecords) * 5, timeout: timeout)
    }

    func close() async { await self.reader.close() }
}

/// Writes as a client does: an answer may get lost although everything was written.
struct SimulatedProducer: LogProducer {
    let producer: any LogProducer
    let connection: Connection

    func send(_ records: [OutgoingRecord]) async throws(LogError) -> [Int64] {
        let producer = self.producer
        let offsets = try await self.connection.call("send") { () async throws(LogError) in
            try await producer.send(records)
        }
        if self.connection.world.faults.fails("the acknowledgement gets lost", 2) {
            throw LogError(.unavailable, "send: nobody answers", isRetriable: true)
        }
        return offsets
    }

    func close() async { await self.producer.close() }
}
