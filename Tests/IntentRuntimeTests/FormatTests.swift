import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

/// A format newer than all existing ones represents the next one: workers treat it as they will treat a real one.
@Suite("Formats of records between workers")
struct FormatTests {
    private static let next = RecordFormats(reads: 1...3, writes: 3)
    private static let registration = IntentRegistration { GreetHandler() }

    private static func settings(_ formats: RecordFormats) -> RuntimeSettings {
        var settings = RuntimeSettings.unhurried
        settings.formats = formats
        return settings
    }

    /// A deployment whose workers write a format, with an interaction that waits for its user.
    private static func leftOpen(_ formats: RecordFormats) async throws -> (log: InMemoryLog, deployment: Deployment) {
        var left: (InMemoryLog, Deployment)?
        try await Pipeline.with([Self.registration], settings: Self.settings(formats)) { pipeline in
            left = (pipeline.memory, pipeline.deployment)
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "ended")
            #expect(try await pipeline.end(of: "ended").data["status"] == "success")
            try await pipeline.request("GreetIntent", subject: "open")
            #expect(try await pipeline.next(of: "open").type == "prompt.issued")
        }
        return try #require(left)
    }

    /// A worker of one stage, on an existing log.
    private static func worker(
        _ stage: Stage,
        _ formats: RecordFormats,
        on left: (log: InMemoryLog, deployment: Deployment)
    )
        throws -> StageWorker
    {
        let registry = try IntentRegistry([IntentExtension("Tests") { Self.registration }])
        var wiring = StageWiring(left.deployment, on: left.log, registry: registry)
        wiring.name = "later"
        wiring.configure = { $0.settings = Self.settings(formats) }
        return wiring.worker(stage)
    }

    /// The ends of all topics, and the offsets that a stage's group has committed: everything that a worker could have
    /// changed.
    private static func ends(_ stage: Stage, _ left: (log: InMemoryLog, deployment: Deployment)) async throws
        -> [[TopicPartition: Int64]]
    {
        let partitions = Topic.allCases.flatMap { topic in
            (0..<left.deployment.partitions).map { TopicPartition(topic.name(prefix: "intents"), $0) }
        }
        let group = stage.group(prefix: "intents")
        return [
            try await left.log.offsets(partitions, at: .end),
            try await left.log.committedOffsets(group: group, partitions: partitions),
        ]
    }

    /// Runs a worker that must stop because of what it reads; returns its message.
    private static func leaving(_ stage: Stage, _ left: (log: InMemoryLog, deployment: Deployment)) async throws
        -> String
    {
        var before = try await Self.ends(stage, left)
        // What it writes to be sure of the state's ends.
        for partition in 0..<left.deployment.partitions {
            before[0][TopicPartition(Topic.state.name(prefix: "intents"), partition), default: 0] += 1
        }
        let worker = try Self.worker(stage, .current, on: left)
        let error = await #expect(throws: LogError.self) { try await worker.run() }
        #expect(error?.code == .unreadableFormat)
        #expect(try await Self.ends(stage, left) == before)
        return error?.message ?? ""
    }

    private static func write(
        _ topic: Topic,
        _ headers: [LogHeader],
        _ value: JSONValue,
        _ left: (log: InMemoryLog, deployment: Deployment)
    ) async throws {
        let partition = HomePartition.of(user: "u1", count: left.deployment.partitions)
        let producer = try await left.log.makeProducer()
        _ = try await producer.send([
            OutgoingRecord(
                topicPartition: TopicPartition(topic.name(prefix: "intents"), partition),
                key: Array("u1".utf8),
                value: value.utf8,
                headers: headers
            )
        ])
        await producer.close()
    }

    @Test("Records of format 1 have no mark: versions without marks wrote the same bytes")
    func firstFormatHasNoMark() async throws {
        try await Pipeline.with([Self.registration], settings: .unhurried) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            for topic in Topic.allCases {
                for record in try await pipeline.records(of: topic) {
                    #expect(!record.headers.contains { $0.name == RecordFormats.header })
                }
            }
        }
    }

    @Test("A reader that no longer supports format 1 refuses unmarked records, and says which version to start")
    func refusesUnmarkedRecordsAfterFormat1() async throws {
        let later = RecordFormats(reads: 2...3, writes: 2)
        try await Pipeline.with([Self.registration], settings: .unhurried) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            var checked = 0
            for topic in Topic.allCases where topic.hasFormat {
                for record in try await pipeline.records(of: topic) {
                    #expect(!RecordFormats.current.concerns(record.content))
                    // What is of no concern is not checked at all.
                    #expect(later.concerns(record.content), "\(topic)")
                    let error = #expect(throws: LogError.self) { try later.check(record, on: topic) }
                    #expect(error?.code == .unreadableFormat)
                    #expect(error?.message.contains("is of format 1, and this version reads 2 to 3") == true)
                    #expect(error?.message.contains("start a version that still reads it") == true)
                    checked += 1
                }
            }
            #expect(checked > 5)
        }
    }

    @Test("A raised format marks the heads of partitions, and nothing that an earlier format can express")
    func marksHeadsOfPartitions() async throws {
        try await Pipeline.with([Self.registration], settings: Self.settings(Self.next)) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            try await pipeline.answer(try await pipeline.next(of: "i1"), ["value": "Jeff"])
            _ = try await pipeline.end(of: "i1")
            for topic in Topic.allCases {
                for record in try await pipeline.records(of: topic) {
                    let key = record.key.map { String(decoding: $0, as: UTF8.self) } ?? ""
                    let isHead = topic == .state && key.hasSuffix("/\(StateKey.chain)")
                    #expect(record.header(RecordFormats.header) == (isHead ? "3" : nil), "\(topic) \(key)")
                }
            }
            let replayed = try await pipeline.replayAll([Self.registration])
            #expect(replayed.count > 3)
            #expect(!replayed.contains { !$0.isMatch })
        }
    }

    @Test("Readers accept the last two formats: a worker continues with what one of the format before has left")
    func readsLastTwoFormats() async throws {
        for (first, second) in [
            (RecordFormats.current, Self.next), (Self.next, RecordFormats(reads: 1...3, writes: 2)),
            (RecordFormats(reads: 1...2, writes: 2), RecordFormats.current),
        ] {
            let left = try await Self.leftOpen(first)
            let responses = (0..<left.deployment.partitions).map { TopicPartition("intents.responses", $0) }
            let reader = try await left.log.makeReader(from: try await left.log.offsets(responses, at: .end))
            let workers = try Stage.allCases.map { try Self.worker($0, second, on: left) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in workers { group.addTask { try await worker.run() } }
                let answer: JSONValue = [
                    "promptId": "open/r/1", "action": "accept", "value": "Celestra", "user": ["id": "u1"],
                ]
                let headers = [LogHeader(EventHeaderName.type, "prompt.answered")]
                try await Self.write(.requests, headers, answer, left)
                var end: LogRecord?
                while end == nil {
                    let batch = try await reader.next(maxRecords: 10, timeout: .seconds(60))
                    end = batch.records.first { $0.header(EventHeaderName.subject) == "open" }
                }
                let data = try JSONValue(parsing: try #require(end?.value))
                #expect(data["endReason"] == "nominal")
                for worker in workers { worker.stop() }
                try await group.waitForAll()
            }
            await reader.close()
        }
    }

    @Test("A worker that meets state of a newer format leaves, and has committed nothing")
    func workerLeavesAtNewerState() async throws {
        let left = try await Self.leftOpen(Self.next)
        let message = try await Self.leaving(.resolve, left)
        #expect(message.contains("intents.state["))
        #expect(message.contains("(key resolve/"))
        #expect(
            message.contains(
                "is of format 3, and this version reads 1 to 2: nothing was committed; start the newer version"
            )
        )
    }

    @Test("A worker that meets an event of a newer format leaves, and has committed nothing of the batch")
    func workerLeavesAtNewerEvent() async throws {
        let left = try await Self.leftOpen(.current)
        let own = [LogHeader(EventHeaderName.type, "intent.resolved"), LogHeader(EventHeaderName.userID, "u1")]
        try await Self.write(.resolved, own, ["interaction": "as format 1 has it"], left)
        try await Self.write(.resolved, own + [LogHeader(RecordFormats.header, "3")], ["anything": 1], left)
        #expect(try await Self.leaving(.confirm, left).contains("intents.resolved["))
    }

    @Test("A mark that is not a number counts as an unknown format")
    func nonNumericMarkIsUnknownFormat() async throws {
        let left = try await Self.leftOpen(.current)
        let headers = [
            LogHeader(EventHeaderName.type, "intent.confirmed"), LogHeader(EventHeaderName.userID, "u1"),
            LogHeader(RecordFormats.header, "new"),
        ]
        try await Self.write(.confirmed, headers, [:], left)
        #expect(try await Self.leaving(.handle, left).contains("a format that is not a number"))
    }

    @Test("A signal of a newer format concerns only the stage that it is addressed to")
    func newerSignalConcernsItsStageOnly() async throws {
        let left = try await Self.leftOpen(.current)
        let headers = [
            LogHeader(EventHeaderName.type, "timer.fired"), LogHeader(EventHeaderName.userID, "u1"),
            LogHeader(EventHeaderName.stage, "handle"), LogHeader(RecordFormats.header, "3"),
        ]
        try await Self.write(.signals, headers, [:], left)
        #expect(try await Self.leaving(.handle, left).contains("intents.signals["))
        let confirm = try Self.worker(.confirm, .current, on: left)
        let work = Task { try await confirm.run() }
        let group = Stage.confirm.group(prefix: "intents")
        let topicPartition = TopicPartition(
            "intents.signals",
            HomePartition.of(user: "u1", count: left.deployment.partitions)
        )
        let end = try await left.log.offsets([topicPartition], at: .end)[topicPartition]
        while try await left.log.committedOffsets(group: group, partitions: [topicPartition])[topicPartition] != end {
            await Task.yield()
        }
        confirm.stop()
        try await work.value
    }

    @Test("A worker also leaves at an event of a newer format that a newer worker had parked")
    func workerLeavesAtNewerParkedEvent() async throws {
        let left = try await Self.leftOpen(.current)
        let headers: JSONValue = [
            ["ce_type", "intent.confirmed"], ["ce_userid", "u1"], [.string(RecordFormats.header), "3"],
        ]
        let parked: JSONValue = [
            "event": ["position": "confirmed/0/7", "timestamp": 1, "value": "{}", "headers": headers],
            "generation": 0, "attempt": 1, "startedAt": 1, "timeoutAt": 1,
        ]
        let partition = HomePartition.of(user: "u1", count: left.deployment.partitions)
        let producer = try await left.log.makeProducer()
        _ = try await producer.send([
            OutgoingRecord(
                topicPartition: TopicPartition("intents.state", partition),
                key: Array("handle/u1/parked".utf8),
                value: parked.utf8
            )
        ])
        await producer.close()
        #expect(try await Self.leaving(.handle, left).contains("confirmed/0/7, kept in the state as handle/u1/parked"))
    }

    @Test("newDeploymentBeginsWith2: its entry names the format, and an entry from an earlier version means 1")
    func newDeploymentBeginsWith2() async throws {
        let log = InMemoryLog()
        let (made, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        #expect(made.format == 2)
        #expect(try await Deployment.load(prefix: "intents", from: log) == made)
        // A second one that is made at the same time does not count.
        #expect(try await Deployment.create(TopicPlan(partitions: 1), on: log).deployment == made)
    }

    @Test(
        "upgradedDeploymentStaysAt1: without a format it is 1, and one of a later version is the last that is known",
        arguments: [(nil, 1), (1, 1), (2, 2), (7, 2), (0, 1)] as [(Int64?, Int)]
    )
    func upgradedDeploymentStaysAt1(named: Int64?, format: Int) async throws {
        let log = InMemoryLog()
        _ = try await log.createTopics(TopicPlan(partitions: 1).topics(brokers: 1))
        let value = JSONValue.members(["format": named.map(JSONValue.integer), "value": "0a:1"])
        try await log.write([
            OutgoingRecord(
                topicPartition: TopicPartition("intents.state", 0),
                key: Array("//deployment/0a".utf8),
                value: value.utf8
            )
        ])
        let deployment = try await Deployment.load(prefix: "intents", from: log)
        #expect(deployment == Deployment(id: "0a", prefix: "intents", partitions: 1, format: format))
    }

    @Test("R47: a client's format mark stops nobody, whatever stage its answer is for and however it is sent")
    func clientsMarkStopsNobody() async throws {
        let registration = IntentRegistration(confirmation: .always) { GreetHandler() }
        // The client's forgery does not match the schemas.
        try await Pipeline.with([registration], settings: .unhurried, checksWire: false) { pipeline in
            let mark = LogHeader(RecordFormats.header, "99")
            let request: JSONValue = [
                "intent": ["name": "GreetIntent", "parameters": ["name": "Jeff"]], "user": ["id": "u1"],
            ]
            try await pipeline.send(.intentRequested, subject: "i1", headers: [mark], data: request)
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "intentConfirmation")
            // Forwarded to confirm unchanged, with headers that look like intentd's own.
            let forged: JSONValue = [
                "specversion": "1.0", "type": "prompt.answered", "source": "/tests", "id": "forged",
                "data": ["user": ["id": "u1"], "promptId": "i1/c/7"],
            ]
            try await pipeline.write(
                partition: HomePartition.of(user: "u1", count: 4),
                value: forged.utf8,
                headers: [
                    LogHeader(EventHeaderName.type, "intent.resolved"), mark,
                    LogHeader(EventHeaderName.contentType, "application/cloudevents+json"),
                ]
            )
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "unknown")
            try await pipeline.send(
                .promptAnswered,
                headers: [mark],
                data: ["user": ["id": "u1"], "promptId": "i1/c/1", "action": "accept"]
            )
            #expect(try await pipeline.end(of: "i1").data["status"] == "success")
        }
    }
}
