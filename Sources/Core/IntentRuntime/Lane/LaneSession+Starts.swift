internal import IntentEvents
import Logging
internal import Telemetry

/// Where a lane starts to read: nothing is done twice, and nothing is skipped silently (R6).
extension LaneSession {
    /// The start offsets of assigned partitions, whose state is restored.
    ///
    /// - Parameters:
    ///   - offsets: The group's offsets.
    ///   - extents: Where the partitions begin and end.
    ///   - restorer: Finds events that wait in the state.
    /// - Returns: The offsets.
    /// - Throws: ``LogError``, including those that only an operator can resolve.
    func starts(
        _ offsets: [TopicPartition: Int64?],
        _ extents: TopicExtents,
        _ restorer: StateRestorer
    ) async throws(LogError) -> [TopicPartition: Int64?] {
        try self.checkHeads(offsets)
        let decisions = self.decisions(offsets)
        try self.checkForgotten(decisions)
        var positions = offsets
        for (topicPartition, decision) in decisions {
            if case .atState(let offset) = decision { positions[topicPartition] = .some(offset) }
        }
        // The start of the log is given explicitly, so that progress is watched from the first offset on.
        var starts = Dictionary(uniqueKeysWithValues: positions.map { ($0.key, $0.value ?? extents.earliest[$0.key]) })
        let losses = try extents.losses(positions)
        let gaps = losses.filter { $0.read != nil }
        if !gaps.isEmpty {
            try self.accept(LogError.eventsLost(gaps, by: "the group \(self.configuration.group)"))
            for gap in gaps { starts[gap.partition] = .some(gap.earliest) }
        }
        for loss in losses where loss.read == nil {
            self.logger.warning(
                "The topic does not begin at offset 0 and the group has no committed offset: the group cannot read the removed records",
                metadata: [TelemetryKey.partition: "\(loss.partition)", TelemetryKey.offset: "\(loss.earliest)"]
            )
        }
        try await self.checkSkipped(decisions, offsets, extents, restorer)
        for (topicPartition, start) in starts {
            guard let work = self.partitions[topicPartition.partition], let start else { continue }
            if positions[topicPartition] ?? nil == nil {
                work.beginnings[topicPartition] = start
            } else {
                work.positions[topicPartition] = start
            }
        }
        self.report(decisions, offsets)
        return starts
    }

    /// Decides for each partition whether the group's offset counts, or the state's.
    ///
    /// Without transactions the state may be newer than the offsets, and name events that were done in part.
    private func decisions(_ offsets: [TopicPartition: Int64?]) -> [TopicPartition: GroupStart] {
        guard self.configuration.delivery == .exactlyOnce else { return [:] }
        let hasOthers = offsets.values.contains { $0 != nil }
        var decisions: [TopicPartition: GroupStart] = [:]
        for (topicPartition, offset) in offsets {
            guard let topic = self.environment.topic(named: topicPartition.topic) else { continue }
            let state = self.partitions[topicPartition.partition]?.read?.offset(of: topic)
            decisions[topicPartition] = GroupStart(state: state, group: offset, groupHasOthers: hasOthers)
        }
        return decisions
    }

    /// Continues after a loss that was accepted.
    ///
    /// - Throws: The error, if it was not.
    private func accept(_ error: LogError) throws(LogError) {
        guard self.reading.acceptsLoss else { throw error }
        self.logger.error("Skipping lost events (--accept-loss)", metadata: [TelemetryKey.errorMessage: "\(error)"])
    }

    /// Checks that the topics were not re-created: Kafka deletes the offsets of a topic with the topic.
    private func checkForgotten(_ decisions: [TopicPartition: GroupStart]) throws(LogError) {
        var positions: [TopicPartition: Int64] = [:]
        for case (let topicPartition, .forgotten(let offset)) in decisions { positions[topicPartition] = offset }
        guard !positions.isEmpty else { return }
        let list = positions.sorted { $0.key < $1.key }.map { "\($0.key) (processed up to \($0.value))" }
        throw LogError(
            .offsetsLost,
            "the group \(self.configuration.group) has lost its offsets of \(list.joined(separator: ", ")), but not those of "
                + "its other topic: the topic was re-created (then use another prefix and another data directory, or "
                + "restore it), or these offsets were deleted (then reset them, each to the offset given here: "
                + self.resetCommand(list.count == 1 ? positions.first.map { ($0.key, $0.value) } : nil) + ")."
        )
    }

    /// Checks that a group without offsets has not worked: its chain heads name no offsets, since an earlier version
    /// wrote them.
    private func checkHeads(_ offsets: [TopicPartition: Int64?]) throws(LogError) {
        guard self.configuration.delivery == .exactlyOnce else { return }
        let input = self.environment.stage.inputTopic.name(prefix: self.environment.prefix)
        let forgotten = offsets.filter { topicPartition, offset in
            guard topicPartition.topic == input, offset == nil, let work = self.partitions[topicPartition.partition]
            else { return false }
            return !work.chain.isEmpty && work.read == nil
        }
        guard !forgotten.isEmpty else { return }
        throw LogError(
            .offsetsLost,
            "the group \(self.configuration.group) has no offsets for partitions \(forgotten.keys.map(\.partition).sorted()) "
                + "of \(input) although it has processed them, and the earlier version of intentd that did so did not keep "
                + "them in the state: the topic was re-created (then use another prefix and another data directory, or "
                + "restore it), or the group was empty for longer than offsets.retention.minutes (then set each to the "
                + "offset after the last event that has a turn of \(self.environment.stage) in the journal, or is queued in "
                + "its state: \(self.resetCommand(nil)). Never set an earlier offset: the events after it would be "
                + "processed again)."
        )
    }

    /// The command that sets an offset of the group.
    private func resetCommand(_ start: (TopicPartition, Int64)?) -> String {
        let topic = start.map { "\($0.0.topic):\($0.0.partition)" } ?? "TOPIC:PARTITION"
        let offset = start.map { "\($0.1)" } ?? "OFFSET"
        return
            "kafka-consumer-groups.sh --group \(self.configuration.group) --topic \(topic) --reset-offsets --to-offset "
            + "\(offset) --execute"
    }

    /// Checks that nobody has set the group's offsets beyond events that the stage has not worked on.
    ///
    /// Signals to other stages, markers and aborted records concern no turn: an earlier version may have passed them
    /// without a new chain head. Events that wait in the state were read.
    private func checkSkipped(
        _ decisions: [TopicPartition: GroupStart],
        _ offsets: [TopicPartition: Int64?],
        _ extents: TopicExtents,
        _ restorer: StateRestorer
    ) async throws(LogError) {
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for case (let topicPartition, .ahead(let state)) in decisions {
            guard let offset = offsets[topicPartition] ?? nil else { continue }
            // What retention has removed cannot be asked for.
            ranges[topicPartition] = min(max(state, extents.earliest[topicPartition] ?? 0), offset)..<offset
        }
        guard !ranges.isEmpty else { return }
        var skipped: Set<RecordPosition> = []
        do {
            try await self.log.read(ranges, clock: self.environment.clock) { records in
                for record in records {
                    guard let topic = self.environment.topic(of: record) else { continue }
                    skipped.insert(RecordPosition(topic, record.topicPartition.partition, record.offset))
                }
            }
        } catch let error as LogError {
            throw error
        } catch {
            throw LogError(.other, "Cannot read the events that the group has skipped: \(error)", isRetriable: true)
        }
        guard !skipped.isEmpty else { return }
        let works = Set(skipped.map(\.partition)).compactMap { self.partitions[$0] }
        skipped.subtract(try await restorer.waiting(skipped, in: works))
        guard let first = skipped.min(by: { $0.offset < $1.offset }) else { return }
        let topicPartition = self.environment.topicPartition(first.topic, first.partition)
        try self.accept(
            LogError(
                .eventsLost,
                "the group \(self.configuration.group) has skipped \(skipped.count) events that \(self.environment.stage) "
                    + "has not processed, the first at offset \(first.offset) of \(topicPartition): its offsets were moved forward, or "
                    + "the topic \(Topic.state.name(prefix: self.environment.prefix)) has lost its last records. To process "
                    + "them, reset the offset: \(self.resetCommand((topicPartition, first.offset))). To continue without them, start once with "
                    + "--accept-loss."
            )
        )
    }

    /// Logs where the state's offset counted; it is committed at the next opportunity.
    private func report(_ decisions: [TopicPartition: GroupStart], _ offsets: [TopicPartition: Int64?]) {
        for case (let topicPartition, .atState(let offset)) in decisions.sorted(by: { $0.key < $1.key }) {
            self.uncounted.insert(topicPartition.partition)
            let group = (offsets[topicPartition] ?? nil).map { "\($0)" } ?? "none"
            self.logger.warning(
                "The group's offset is behind its state: continuing where the state ends, since earlier events were processed",
                metadata: [
                    TelemetryKey.group: "\(self.configuration.group)", TelemetryKey.partition: "\(topicPartition)",
                    TelemetryKey.offset: "\(group)", TelemetryKey.stateOffset: "\(offset)",
                ]
            )
        }
    }

    /// Logs that somebody has written chain heads of other partitions to these: they were ignored.
    func report(foreignHeads partitions: Set<Int>) {
        for partition in partitions.sorted() {
            let topicPartition = self.environment.topicPartition(.state, partition)
            self.logger.error(
                "Ignoring the chain head of another partition in this partition",
                metadata: [TelemetryKey.partition: "\(topicPartition)"]
            )
        }
    }
}
