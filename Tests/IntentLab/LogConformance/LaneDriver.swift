import IntentRuntime

/// Drives a lane as the runtime does, up to a time limit.
final class LaneDriver {
    /// The lane.
    let lane: any TransactionalLane
    /// The partitions that it holds.
    private(set) var partitions: Set<TopicPartition> = []
    /// Assignments and revocations so far, in order.
    private(set) var assignments = 0
    /// The next offset of each partition, for commits.
    private(set) var next: [TopicPartition: Int64] = [:]
    private let timeout: Duration
    private var pending: [LogRecord] = []

    /// Creates a driver for this lane.
    init(_ lane: any TransactionalLane, timeout: Duration) {
        self.lane = lane
        self.timeout = timeout
    }

    /// Polls once and answers changes of assignment by starting at the committed offsets.
    ///
    /// Records are returned; those of revoked partitions are dropped.
    func step(maxRecords: Int = 1_000, timeout: Duration = .milliseconds(500)) async throws -> [LogRecord] {
        var records: [LogRecord] = []
        for event in try await self.lane.poll(maxRecords: maxRecords, timeout: timeout) {
            switch event {
            case .assigned(let committed):
                try await self.start(committed, at: committed)
            case .revoked:
                records = []
                try await self.release()
            case .records(let read):
                records += read
                for record in read {
                    self.next[record.topicPartition] = record.offset + 1
                }
            }
        }
        return records
    }

    /// Accepts the assignment and begins to read.
    func start(_ committed: [TopicPartition: Int64?], at offsets: [TopicPartition: Int64?]) async throws {
        self.partitions = Set(committed.keys)
        self.next = offsets.compactMapValues { $0 }
        self.assignments += 1
        try await self.lane.start(at: offsets)
    }

    /// Gives back the partitions that are held.
    func release() async throws {
        self.partitions = []
        self.next = [:]
        try await self.lane.release()
    }

    /// Polls until the group has assigned partitions, without starting; returns the committed offsets.
    func awaitAssignment() async throws -> [TopicPartition: Int64?] {
        try await self.until("no assignment came") {
            for event in try await self.lane.poll(maxRecords: 100, timeout: .milliseconds(500)) {
                switch event {
                case .assigned(let committed):
                    return committed
                case .revoked:
                    try await self.release()
                case .records:
                    throw ConformanceFailure("records came before the start")
                }
            }
            return nil
        }
    }

    /// Polls until the lane holds this many partitions.
    func awaitPartitions(_ count: Int) async throws {
        try await self.until("lane holds \(self.partitions.count) partitions, not \(count)") {
            _ = try await self.step()
            return self.partitions.count == count ? () : nil
        }
    }

    /// Polls until this many records have come.
    func read(_ count: Int, maxRecords: Int = 1_000) async throws -> [LogRecord] {
        var records: [LogRecord] = []
        return try await self.until("not \(count) records came") {
            records += try await self.step(maxRecords: maxRecords)
            return records.count >= count ? records : nil
        }
    }

    /// Commits outputs with the offsets of everything read so far.
    func commit(_ records: [OutgoingRecord] = []) async throws {
        try await self.lane.commit(LaneCommit(records: records, offsets: self.next))
    }

    /// Closes the lane.
    func close(_ departure: LaneDeparture = .remainInGroup) async {
        await self.lane.close(departure)
    }

    private func until<Result>(_ complaint: @autoclosure () -> String, _ body: () async throws -> Result?) async throws
        -> Result
    {
        let deadline = ContinuousClock.now + self.timeout
        while ContinuousClock.now < deadline {
            if let result = try await body() {
                return result
            }
        }
        throw ConformanceFailure(complaint())
    }
}
