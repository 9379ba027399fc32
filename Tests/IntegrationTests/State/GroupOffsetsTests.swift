import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Logging
import Testing

/// What a worker does when somebody has changed its group's offsets, or the broker has lost them.
@Suite("Group offsets that differ from the state's", .timeLimit(.minutes(1)))
struct GroupOffsetsTests {
    private let worker: ReturningWorker
    private var log: InMemoryLog { self.worker.log }
    private var lines: LogLines { self.worker.lines }

    init() throws { self.worker = try ReturningWorker() }

    /// Makes topics on which thirty requests were worked on.
    private func worked() async throws -> (Deployment, Reading) {
        let deployment = try await self.worker.makeTopics()
        let responses = try await self.worker.reading()
        try await self.worker.request(30)
        try await self.worker.work(deployment) { _ = try await responses.next(30) }
        return (deployment, responses)
    }

    /// Works until the next interaction is answered, which is to be this one.
    private func expect(_ id: InteractionID, _ responses: Reading, _ deployment: Deployment) async throws {
        try await self.worker.work(deployment) {
            let subjects = try await responses.next(1).map(\.subject)
            #expect(subjects == [id])
        }
    }

    /// Has a worker answer one more request, and expects that it answers nothing else.
    private func expectNothingTwice(_ deployment: Deployment, _ responses: Reading) async throws {
        let journal = try await self.worker.count(.journal)
        try await self.worker.request(1, from: 30)
        try await self.expect("i30", responses, deployment)
        #expect(try await responses.rest().isEmpty)
        let records = try await self.worker.count(.journal) - journal
        // The worker's transactions have markers in memory too.
        #expect(records <= 2, "\(records) records for one turn")
    }

    @Test("R6: a group whose offsets were set back continues where its state ends", arguments: [true, false])
    func earlierGroupOffsetsContinueAtState(keepsFile: Bool) async throws {
        let (deployment, responses) = try await self.worked()
        let committed = try await self.log.committedOffsets(
            group: ReturningWorker.group,
            partitions: self.worker.topicPartitions(.requests)
        )
        try self.log.setOffsets(committed.mapValues { _ in 0 }, of: ReturningWorker.group)
        let directory = try TemporaryDirectory()
        if keepsFile {
            try await self.expectNothingTwice(deployment, responses)
        } else {
            try await self.worker.request(1, from: 30)
            try await self.worker.work(deployment, directory: directory) {
                let subjects = try await responses.next(1).map(\.subject)
                #expect(subjects == ["i30"])
            }
            #expect(try await responses.rest().isEmpty)
        }
        let warned = self.lines.all.filter { $0.message.hasPrefix("The group's offset is behind its state") }
        #expect(Set(warned.compactMap { $0.metadata["log.partition"] }).count == ReturningWorker.partitions)
        #expect(
            warned.allSatisfy {
                $0.metadata["messaging.kafka.offset"] == "0" && $0.metadata["state.offset"] != nil
                    && $0.metadata["messaging.consumer.group.name"] == "intents.resolve"
            }
        )
        let after = try await self.log.committedOffsets(
            group: ReturningWorker.group,
            partitions: self.worker.topicPartitions(.requests)
        )
        #expect(after.allSatisfy { $0.value >= committed[$0.key] ?? 0 }, "They are right again.")
    }

    @Test("R6: a group that has lost all its offsets continues where its state ends")
    func lostGroupOffsetsContinueAtState() async throws {
        let (deployment, responses) = try await self.worked()
        try self.log.forgetOffsets(of: ReturningWorker.group)
        try await self.expectNothingTwice(deployment, responses)
        #expect(self.lines.all.contains { $0.metadata["messaging.kafka.offset"] == "none" })
    }

    @Test(
        "R6: a group whose offsets were set forward ends the worker before it skips an event, unless that is accepted"
    )
    func laterGroupOffsetsEndWorkerUnlessAccepted() async throws {
        let (deployment, responses) = try await self.worked()
        try await self.worker.request(30, from: 30)
        let topicPartition = TopicPartition(ReturningWorker.requests, 1)
        let end = try #require(try await self.log.offsets([topicPartition], at: .end)[topicPartition])
        let before = try #require(
            try await self.log.committedOffsets(group: ReturningWorker.group, partitions: [topicPartition])[
                topicPartition
            ]
        )
        try #require(end > before)
        try self.log.setOffsets([topicPartition: end], of: ReturningWorker.group)
        let written = try await self.log.offsets(self.worker.topicPartitions(.journal), at: .end)
        let error = try await self.worker.leave(deployment)
        #expect(error?.code == .eventsLost)
        #expect(error?.message.contains("has skipped \(end - before) events") == true, "\(String(describing: error))")
        #expect(
            error?.message.contains("--topic \(ReturningWorker.requests):1 --reset-offsets --to-offset \(before)")
                == true
        )
        #expect(try await self.log.offsets(self.worker.topicPartitions(.journal), at: .end) == written)

        var accepting = ReadingOptions()
        accepting.acceptsLoss = true
        try await self.worker.work(deployment, reading: accepting) {
            _ = try await responses.next(30 - Int(end - before))
        }
        #expect(try await responses.rest().isEmpty)
        #expect(self.lines.all.contains { $0.level == .error && $0.message.hasPrefix("Skipping lost events") })
    }

    @Test(
        "R57: an operator moves a group past a record of an unknown format, accepts the loss, and the stage continues"
    )
    func operatorSkipsRecordOfUnknownFormat() async throws {
        let (deployment, responses) = try await self.worked()
        let topicPartition = TopicPartition(Topic.signals.name(prefix: "intents"), 1)
        let offset = try #require(try await self.log.offsets([topicPartition], at: .end)[topicPartition])
        let headers = ["ce_type": "timer.fired", "ce_stage": "resolve", "ce_userid": "u", "intentd_format": "99"]
        let record = OutgoingRecord(
            topicPartition: topicPartition,
            key: Array("u".utf8),
            value: Array("{}".utf8),
            headers: headers.map { LogHeader($0.key, $0.value) }
        )
        _ = try await self.log.makeProducer().send([record])
        let format = try await self.worker.leave(deployment)
        #expect(format?.code == .unreadableFormat)
        #expect(
            format?.message.contains("\(topicPartition) at offset \(offset)") == true,
            "\(String(describing: format))"
        )
        try self.log.setOffsets([topicPartition: offset + 1], of: ReturningWorker.group)
        let lost = try await self.worker.leave(deployment)
        #expect(lost?.code == .eventsLost)
        try await self.worker.request(1, from: 30)
        var accepting = ReadingOptions()
        accepting.acceptsLoss = true
        try await self.worker.work(deployment, reading: accepting) {
            let subjects = try await responses.next(1).map(\.subject)
            #expect(subjects == ["i30"])
        }
        try await self.worker.request(1, from: 31)
        try await self.expect("i31", responses, deployment)
    }

    /// Writes the chain heads again as a version does that names no offsets.
    private func writeEarlierHeads(_ stage: Stage) async throws {
        var heads: [TopicPartition: OutgoingRecord] = [:]
        let ranges = try await self.log.offsets(self.worker.topicPartitions(.state), at: .end).mapValues { 0..<$0 }
        let key = StateKey(stage: stage, user: "", name: StateKey.chain).bytes
        try await self.log.read(ranges) { records in
            for record in records where record.key == key {
                heads[record.topicPartition] =
                    OutgoingRecord(topicPartition: record.topicPartition, key: key, value: record.value)
            }
        }
        _ = try await self.log.write(Array(heads.values))
    }

    @Test("R57: where an earlier version ran last, its group offsets count; without any, nothing is processed again")
    func offsetsOfEarlierVersionCount() async throws {
        let (deployment, responses) = try await self.worked()
        try await self.writeEarlierHeads(.resolve)
        // It has worked on events since, whose heads name no offsets.
        let ends = try await self.log.offsets(self.worker.topicPartitions(.requests), at: .end)
        try await self.worker.request(6, from: 40)
        let later = try await self.log.offsets(self.worker.topicPartitions(.requests), at: .end)
        try self.log.setOffsets(later, of: ReturningWorker.group)
        try await self.worker.request(1, from: 50)
        try await self.expect("i50", responses, deployment)
        #expect(!self.lines.all.contains { $0.level >= .warning })
        #expect(ends != later)

        try await self.writeEarlierHeads(.resolve)
        try self.log.forgetOffsets(of: ReturningWorker.group)
        let error = try await self.worker.leave(deployment)
        #expect(error?.code == .offsetsLost)
        #expect(error?.message.contains("--to-datetime") == false)
    }

    @Test("R57: signals to other stages that an earlier version skipped are no loss")
    func skippedSignalsOfEarlierVersionAreNoLoss() async throws {
        let (deployment, responses) = try await self.worked()
        let producer = try await self.log.makeProducer()
        let signals = self.worker.topicPartitions(.signals)
        _ = try await producer.send(
            signals.map {
                OutgoingRecord(
                    topicPartition: $0,
                    key: Array("u".utf8),
                    value: Array("{}".utf8),
                    headers: [LogHeader(EventHeaderName.stage, "handle")]
                )
            }
        )
        try self.log.setOffsets(try await self.log.offsets(signals, at: .end), of: ReturningWorker.group)
        try await self.expectNothingTwice(deployment, responses)
        #expect(!self.lines.all.contains { $0.level >= .warning })
    }

    // MARK: A stage that has read signals alone

    /// Works as the handle stage until the body ends.
    private func handle(_ deployment: Deployment, _ body: () async throws -> Void) async throws {
        let registry = try IntentRegistry([IntentExtension("Waiting") { IntentRegistration { AskingHandler() } }])
        var wiring = StageWiring(deployment, on: self.log, registry: registry, ledger: InMemoryLedger())
        wiring.logger = self.lines.logger()
        let worker = wiring.worker(.handle)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            try await body()
            worker.stop()
            try await group.waitForAll()
        }
    }

    /// Sends a timer that nobody waits for to the handle stage in every partition, and waits until it is processed.
    private func sendTimers(_ deployment: Deployment) async throws {
        let producer = try await self.log.makeProducer()
        let journal = try await self.worker.reading(.journal)
        _ = try await producer.send(
            (0..<ReturningWorker.partitions)
                .map { partition in
                    let user = UserID(
                        "user \((0...).first { HomePartition.of(user: UserID("user \($0)"), count: ReturningWorker.partitions) == partition } ?? 0)"
                    )
                    let event = Event(
                        id: "t\(partition)",
                        source: "/outside",
                        type: .timerFired,
                        time: Timestamp(milliseconds: 0),
                        subject: "nothing",
                        userID: user,
                        stage: .handle,
                        data: ["what": "prompt", "deadline": "2026-01-01T00:00:00Z", "user": ["id": user.json]]
                    )
                    return OutgoingRecord(
                        topicPartition: TopicPartition(Topic.signals.name(prefix: "intents"), partition),
                        key: Array(user.utf8),
                        value: event.data.utf8,
                        headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
                    )
                }
        )
        try await self.handle(deployment) { _ = try await journal.next(ReturningWorker.partitions) }
    }

    @Test("R6: a stage that has read only signals starts again: it has lost no offsets")
    func stageThatReadOnlySignalsRestarts() async throws {
        let deployment = try await self.worker.makeTopics()
        try await self.sendTimers(deployment)
        let assigned = self.lines.all.filter { $0.message == "Partitions assigned" }.count
        try await self.handle(deployment) {
            _ = try await self.lines.next(.info, "Partitions assigned", count: assigned + 1)
        }
        #expect(!self.lines.all.contains { $0.level >= .warning })
    }

    @Test("R6: state records that somebody copies to other partitions do not keep a stage from starting")
    func repeatedStateInOtherPartitionsIsIgnored() async throws {
        let deployment = try await self.worker.makeTopics()
        try await self.sendTimers(deployment)
        var copies: [OutgoingRecord] = []
        let ranges = try await self.log.offsets(self.worker.topicPartitions(.state), at: .end).mapValues { 0..<$0 }
        try await self.log.read(ranges) { records in
            for record in records where record.key?.starts(with: "handle/".utf8) ?? false {
                for topicPartition in self.worker.topicPartitions(.state) where topicPartition != record.topicPartition
                {
                    copies.append(OutgoingRecord(topicPartition: topicPartition, content: record.content))
                }
            }
        }
        try #require(!copies.isEmpty)
        _ = try await self.log.write(copies)
        let assigned = self.lines.all.filter { $0.message == "Partitions assigned" }.count
        try await self.handle(deployment) {
            _ = try await self.lines.next(.info, "Partitions assigned", count: assigned + 1)
        }
        let foreign = self.lines.all.filter { $0.message.hasPrefix("Ignoring the chain head of another partition") }
        #expect(foreign.count == ReturningWorker.partitions && foreign.allSatisfy { $0.level == .error })
    }
}
