package import IntentRuntime

/// A lane that changes some calls to another lane: all calls that a test does not implement go to the lane below.
package protocol ForwardingLane: TransactionalLane {
    /// The lane below.
    var lane: any TransactionalLane { get }
}

extension ForwardingLane {
    /// Polls the lane below.
    /// - Throws: ``LogError``, as the lane below does.
    package func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent] {
        try await self.lane.poll(maxRecords: maxRecords, timeout: timeout)
    }

    /// Starts the lane below.
    /// - Throws: ``LogError``, as the lane below does.
    package func start(at offsets: [TopicPartition: Int64?]) async throws(LogError) {
        try await self.lane.start(at: offsets)
    }

    /// Gives the partitions of the lane below back.
    /// - Throws: ``LogError``, as the lane below does.
    package func release() async throws(LogError) { try await self.lane.release() }

    /// Commits to the lane below.
    /// - Throws: ``LogError``, as the lane below does.
    package func commit(_ batch: LaneCommit) async throws(LogError) { try await self.lane.commit(batch) }

    /// Pauses partitions of the lane below.
    /// - Throws: ``LogError``, as the lane below does.
    package func pause(_ partitions: [TopicPartition]) async throws(LogError) { try await self.lane.pause(partitions) }

    /// Resumes partitions of the lane below.
    /// - Throws: ``LogError``, as the lane below does.
    package func resume(_ partitions: [TopicPartition]) async throws(LogError) {
        try await self.lane.resume(partitions)
    }

    /// The positions of the lane below.
    package func positions() async -> [TopicPartition: Int64] { await self.lane.positions() }

    /// Wakes the lane below.
    package func wake() { self.lane.wake() }

    /// Closes the lane below.
    package func close(_ departure: LaneDeparture) async { await self.lane.close(departure) }
}
