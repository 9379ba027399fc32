package import IntentEvents
internal import IntentKit
internal import IntentRuntime
import Synchronization

extension Pipeline {
    /// Waits until the stages have committed all records before the current ends.
    ///
    /// - Throws: ``UnexpectedAnswer`` when one does not come to the end; `LogError`.
    package func settle() async throws {
        for stage in Stage.allCases {
            try await eventually(\.isEmpty) { try await self.uncommitted(by: stage) }
        }
    }

    /// The last records before a stage that it has not committed.
    private func uncommitted(by stage: Stage) async throws -> [TopicPartition: Int64] {
        let group = stage.group(prefix: self.deployment.prefix)
        let topicPartitions = [stage.inputTopic, .signals]
            .flatMap { topic in
                (0..<self.deployment.partitions).map { TopicPartition(topic.name(prefix: self.deployment.prefix), $0) }
            }
        let ends = try await self.log.offsets(topicPartitions, at: .end)
        let committed = try await self.log.committedOffsets(group: group, partitions: topicPartitions)
        // The end may also be a transaction's marker, which nobody commits.
        let records = try await self.last(of: topicPartitions.filter { (committed[$0] ?? 0) < ends[$0] ?? 0 })
        return records.filter { $0.value >= committed[$0.key] ?? 0 }
    }

    /// The offset of the last record of partitions that have one.
    private func last(of partitions: [TopicPartition]) async throws -> [TopicPartition: Int64] {
        var last: [TopicPartition: Int64] = [:]
        let ends = try await self.log.offsets(partitions, at: .end)
        try await self.log.read(ends.mapValues { 0..<$0 }) { records in
            for record in records { last[record.topicPartition] = record.offset }
        }
        return last
    }

    /// Waits for the next event on `responses` that fits.
    ///
    /// When nothing has come for some seconds and the stages have processed everything, nothing will come. A
    /// conversation that hangs then reports what it waits for, and the stages' state. While a turn is parked, that takes
    /// longer.
    package func next(_ what: String = "an event that fits", where fits: (Event) -> Bool) async throws -> Event {
        var quietSince = ContinuousClock.now
        var wasIdle = false
        while true {
            if let event = self.pending.withLock({ pending in
                pending.firstIndex(where: fits).map { pending.remove(at: $0) }
            }) {
                return event
            }
            let events = try await self.ends.next()
            if !events.isEmpty {
                quietSince = .now
                wasIdle = false
            } else if .now > quietSince + Self.timeout {
                if wasIdle || .now > quietSince + Self.longTimeout { throw try await self.waitTimedOut(what) }
                // What came while this was checked is read once more.
                wasIdle = try await self.isIdle()
            }
            self.pending.withLock { $0.append(contentsOf: events) }
        }
    }

    /// The time without events after which it is checked whether anything can still come; timers of tests are shorter.
    private static let timeout = Duration.seconds(10)
    /// The time without events after which a turn that is still parked is given up, too.
    private static let longTimeout = Duration.seconds(45)

    /// Whether the stages have processed everything; a parked turn still runs, although its event may be committed.
    private func isIdle() async throws -> Bool {
        for stage in Stage.allCases {
            guard try await self.uncommitted(by: stage).isEmpty else { return false }
        }
        return try await !self.kept().keys.contains { $0.name == .parked }
    }

    /// The state entries of all users.
    private func kept() async throws -> [StateKey: [UInt8]] {
        var kept: [StateKey: [UInt8]] = [:]
        for record in try await self.records(of: .state) {
            guard let key = record.key.flatMap(StateKey.init), !key.user.isEmpty else { continue }
            kept[key] = record.value
        }
        return kept
    }

    /// What came instead, and what waits in the stages.
    private func waitTimedOut(_ what: String) async throws -> WaitTimedOut {
        let pending = self.pending.withLock(\.self)
        return WaitTimedOut(
            what: what,
            instead: pending.map { "\($0.type) of \($0.subject?.text ?? "nobody's"): \($0.data)" },
            kept: try await self.kept()
                .map { "\(String(decoding: $0.bytes, as: UTF8.self)): \(String(decoding: $1, as: UTF8.self))" }.sorted()
        )
    }

    /// Waits for the next event of an interaction on `responses`.
    package func next(of subject: InteractionID) async throws -> Event {
        try await self.next("the next event of \(subject)") { $0.subject == subject }
    }

    /// Waits for the end of an interaction, and skips its earlier responses.
    ///
    /// On a slow machine, one of them may say that the task is in progress.
    package func end(of subject: InteractionID) async throws -> Event {
        try await self.next("the end of \(subject)") { $0.subject == subject && $0.data["terminal"] == true }
    }

    /// A conversation that hangs.
    package struct WaitTimedOut: Error, CustomStringConvertible {
        /// The expected event.
        package var what: String
        /// The events that came and did not fit.
        package var instead: [String]
        /// The stages' state.
        package var kept: [String]

        package var description: String {
            let lines = ["came instead:"] + self.instead + ["kept:"] + self.kept
            return "\(self.what) does not come\n\(lines.joined(separator: "\n"))"
        }
    }
}
