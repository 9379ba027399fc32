import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import IntentScenarios
import Testing

@Suite("Verifying chains, topics and state")
struct VerifyTests {
    private static let registrations = [IntentRegistration(confirmation: .always) { TransferHandler() }]

    /// A run that leaves several records on every topic of its one partition.
    private static func run(_ log: InMemoryLog = InMemoryLog()) async throws -> Pipeline {
        try await Pipeline.run(Self.registrations, partitions: 1, log: log) { pipeline in
            for number in 1...2 {
                for recipient in ["bob", "stays", "refused"] {
                    try await pipeline.transfer("\(recipient)-\(number)", user: UserID(recipient), recipient: recipient)
                }
                try await pipeline.expire("silent-\(number)", user: "silent")
            }
            // Left open, so that there is state.
            let open = pipeline.client.open(id: "open", userID: "bob")
            let data: JSONValue = ["intent": ["name": "NobodyIntent"], "user": ["id": "bob"]]
            try await open.send([open.makeEvent("intent.requested", data: data)])
            _ = try await open.next(timeout: .seconds(60))
            open.close()
        }
    }

    /// The bytes with one byte changed, a different one in each record.
    private static func flip(_ bytes: [UInt8]?, _ record: LogRecord) -> [UInt8]? {
        guard var bytes, !bytes.isEmpty else { return bytes }
        bytes[Int(record.offset) * 31 % bytes.count] ^= 1
        return bytes
    }

    /// The headers with one byte of one of them changed.
    private static func flip(_ headers: inout [LogHeader], _ record: LogRecord) {
        let index = Int(record.offset) * 7 % headers.count
        headers[index].value = Self.flip(headers[index].value, record)
    }

    private static let recorded = Topic.allCases.filter(\.isRecorded)

    @Test("R46: a change, a removal and a swap are found on every topic, each with its position")
    func findsTamperingOnEveryTopic() async throws {
        let pipeline = try await Self.run()
        let directory = try TemporaryDirectory()
        let records = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: records, from: pipeline.log, prefix: "intents")
        let sound = try await pipeline.verify(records: records)
        #expect(sound.isSound, "\(sound.findings)")
        #expect(sound.turns > 30 && sound.rows > 100 && sound.states > 5)
        let log = TamperedLog(pipeline.log)
        for topic in Self.recorded {
            let all = try await pipeline.records(of: topic)
            try #require(all.count >= 2, "\(topic) holds \(all.count) records")
            for record in [all[0], all[all.count / 2], all[all.count - 1]] {
                let position = RecordPosition(topic, 0, record.offset).description
                let changes: [(String, TamperedLog)] = [
                    ("value", log.changing(record) { $0.value = Self.flip($0.value, record) }),
                    ("header", log.changing(record) { Self.flip(&$0.headers, record) }),
                    ("key", log.changing(record) { $0.key = ($0.key ?? []) + [0] }),
                    ("removal", log.removing(record)),
                ]
                for (name, tampered) in changes {
                    let report = try await pipeline.verify(on: tampered)
                    #expect(!report.isSound, "\(name) of \(position)")
                    // A missing turn has no position any more: its neighbours in the chain are named.
                    let isGone = topic == .journal && name == "removal"
                    let named = report.findings.contains { finding in
                        isGone && (finding.subject == .chain || finding.location.contains("//chain"))
                            || finding.location == position || finding.detail.contains(position)
                            || finding.location == topic.rawValue
                    }
                    #expect(named, "\(name) of \(position): \(report.findings)")
                }
            }
            // The time is the broker's and no part of the event; the records contain it all the same.
            let late = try await pipeline.verify(on: log.changing(all[1]) { $0.timestamp += 1 }, records: records)
            let row = "events \(RecordPosition(topic, 0, all[1].offset))"
            #expect(late.findings.contains { $0.location == row && $0.detail.contains("timestamp") }, "\(row)")
            for (first, second) in zip(all, all.dropFirst()).prefix(6) where first.value != second.value {
                let position = RecordPosition(topic, 0, first.offset).description
                let report = try await pipeline.verify(on: log.swapping(first, second), records: records)
                #expect(
                    report.findings.contains { $0.location.contains(position) || $0.detail.contains(position) },
                    "swap at \(position)"
                )
            }
        }
    }

    @Test("R46a, R82: acts of operators need no turn that wrote them, and those that stages pass on have one")
    func acceptsActs() async throws {
        let pipeline = try await Pipeline.run(Self.registrations, partitions: 1) { pipeline in
            var act = OperatorAct(.leave, by: OperatorAct.Operator("ada", via: "terminal"))
            try await pipeline.write([act.record(of: pipeline.deployment, now: SystemRuntimeClock().now)])
            act.kind = .cancel
            (act.user, act.interaction) = ("bob", "unknown")
            try await pipeline.write([act.record(of: pipeline.deployment, now: SystemRuntimeClock().now)])
            // The last stage rejects it.
            #expect(try await pipeline.next { $0.knownType == .eventRejected }.subject == "unknown")
        }
        #expect(try await pipeline.records(of: .signals).count == 2)
        let report = try await pipeline.verify(on: pipeline.log)
        #expect(report.isSound, "\(report.findings)")
        // What a stage has passed on is compared with its turn.
        let passedOn = try #require(try await pipeline.records(of: .confirmed).last)
        #expect(try await !pipeline.verify(on: TamperedLog(pipeline.log).removing(passedOn)).isSound)
    }

    @Test("R46a, R88h: a dead letter of the webhook needs no turn if its event is on its topic, byte for byte")
    func acceptsWebhookLettersOfOwnEvents() async throws {
        let pipeline = try await Pipeline.run(Self.registrations, partitions: 1) { try await $0.transfer("first") }
        let response = try #require(try await pipeline.records(of: .responses).last)
        func letter(_ change: (inout LogRecord) -> Void = { _ in }, from topic: Topic = .responses) -> OutgoingRecord {
            var record = response
            change(&record)
            return OutgoingRecord.deadLetter(
                of: StoredRecord(record, topic: topic),
                at: pipeline.deployment.topicPartition(topic, 0),
                to: pipeline.deployment.topicPartition(.deadLetters, 0),
                .webhook("the webhook answered 410")
            )
        }
        try await pipeline.log.write([letter()])
        #expect(try await pipeline.verify(on: pipeline.log).isSound)
        let forged = [
            letter { $0.value?.append(UInt8(ascii: " ")) }, letter { $0.headers.removeLast() }, letter { $0.key = nil },
            letter { $0.offset += 1 }, letter(from: .requests),
        ]
        for (number, record) in forged.enumerated() {
            try await pipeline.log.write([record])
            let findings = try await pipeline.verify(on: pipeline.log).findings
            let position = RecordPosition(.deadLetters, 0, Int64(number) + 1).description
            #expect(findings.last?.location == position, "\(findings)")
            #expect(findings.count == number + 1)
        }
    }

    @Test("R46: a cut end is found with an anchor, and only then")
    func findsCutEndWithAnchor() async throws {
        let log = InMemoryLog()
        var ends: [TopicPartition: Int64] = [:]
        let partitions = Topic.allCases.map { TopicPartition($0.name(prefix: "intents"), 0) }
        let first = try await Self.run(log)
        ends = try await log.offsets(partitions, at: .end)
        let early = try await Anchor.read(first.deployment, from: log, at: Timestamp(milliseconds: 1))
        let pipeline = try await Pipeline.run(Self.registrations, partitions: 1, log: log) {
            try await $0.transfer("later")
        }
        let anchor = try await Anchor.read(pipeline.deployment, from: log, at: Timestamp(milliseconds: 2))
        let written = try #require(Anchor(json: JSONValue(parsing: anchor.json.description)))
        #expect(written == anchor)
        #expect(try await pipeline.verify(anchors: [anchor]).anchors == 3)
        #expect(try await pipeline.verify(anchors: [early]).isSound)
        let cut = TamperedLog(log).ending(at: ends)
        #expect(try await pipeline.verify(on: cut).isSound)
        let report = try await pipeline.verify(on: cut, anchors: [anchor])
        #expect(report.findings.map(\.subject) == [.anchor, .anchor, .anchor])
        #expect(report.findings.allSatisfy { $0.location == "journal/0" && $0.detail.contains("cut off") })
        // The journal alone: the head in the state does not match its end any more.
        let journal = TopicPartition("intents.journal", 0)
        let shorter = try await pipeline.verify(on: TamperedLog(log).ending(at: [journal: ends[journal] ?? 0]))
        #expect(shorter.findings.contains { $0.subject == .state && $0.location.contains("//chain") })
        // Each other topic alone: remaining turns have processed or written what is gone.
        for topic in Self.recorded where topic != .journal {
            let last = try #require(try await pipeline.records(of: topic).last)
            let topicPartition = TopicPartition(topic.name(prefix: "intents"), 0)
            let report = try await pipeline.verify(
                on: TamperedLog(log).ending(at: [topicPartition: last.offset]),
                anchors: [anchor]
            )
            #expect(
                report.findings.contains { $0.location.hasPrefix(topic.rawValue) && !$0.detail.isEmpty },
                "\(topic): \(report.findings)"
            )
        }
        var members = try #require(anchor.json.object)
        members["deployment"] = "another"
        let other = try #require(Anchor(json: .object(members)))
        await #expect(throws: AuditError.self) { try await pipeline.verify(anchors: [other]) }
    }

    @Test("R46: the latest values of the state are compared with what turns wrote")
    func findsTamperingWithState() async throws {
        let pipeline = try await Self.run()
        let all = try await pipeline.records(of: .state)
        var latest: [[UInt8]: LogRecord] = [:]
        for record in all { latest[record.key ?? []] = record }
        let log = TamperedLog(pipeline.log)
        var compared = 0
        for record in latest.values {
            guard let key = record.key.flatMap(StateKey.init), key.stage != nil, record.value != nil else { continue }
            compared += 1
            let name = String(decoding: record.key ?? [], as: UTF8.self)
            let report = try await pipeline.verify(on: log.changing(record) { $0.value?[0] ^= 1 })
            #expect(report.findings.contains { $0.subject == .state && $0.location.contains(name) }, "\(name)")
            // The memory of an ended interaction is removed after some time, by no turn.
            guard !key.name.hasPrefix("s/") else { continue }
            // A chain head is written again with new offsets: the same digest is there until all of these are removed.
            let same = all.filter { $0.key == record.key && $0.value == record.value }
            let without = try await pipeline.verify(on: same.reduce(log) { $0.removing($1) })
            #expect(without.findings.contains { $0.subject == .state && $0.location.contains(name) }, "\(name)")
        }
        #expect(compared > 5)
    }

    @Test("R46: an overwritten value of the state is compared, too, while the topic still holds it")
    func findsTamperingWithOverwrittenState() async throws {
        let pipeline = try await Self.run()
        let all = try await pipeline.records(of: .state)
        var latest: [[UInt8]: Int64] = [:]
        for record in all { latest[record.key ?? []] = record.offset }
        var compared = 0
        for record in all where latest[record.key ?? []] != record.offset {
            guard let key = record.key.flatMap({ StateKey($0) }), key.stage != nil, record.value != nil else {
                continue
            }
            compared += 1
            let name = String(decoding: record.key ?? [], as: UTF8.self)
            let tampered = TamperedLog(pipeline.log).changing(record) { $0.value?[0] ^= 1 }
            let report = try await pipeline.verify(on: tampered)
            #expect(report.findings.contains { $0.subject == .state && $0.location.contains(name) }, "\(name)")
        }
        #expect(compared > 5)
        // What compaction has removed cannot be compared: the report says so, and it is no finding.
        let gone = try #require(
            all.first { record in
                let key = record.key.flatMap { StateKey($0) }
                return latest[record.key ?? []] != record.offset && key?.name.hasPrefix("i/") ?? false
            }
        )
        let before = try await pipeline.verify()
        let compacted = try await pipeline.verify(on: TamperedLog(pipeline.log).removing(gone))
        #expect(compacted.isSound, "\(compacted.findings)")
        #expect(compacted.overwrittenStates == before.overwrittenStates + 1)
        #expect(compacted.notes.contains { $0.contains("state values") })
    }

    @Test("R43, R46: what retention has removed is reported, and the rest is verified")
    func verifiesWhatRetentionLeft() async throws {
        let pipeline = try await Self.run()
        let directory = try TemporaryDirectory()
        let records = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: records, from: pipeline.log, prefix: "intents")
        var starts: [TopicPartition: Int64] = [:]
        let journal = try await pipeline.records(of: .journal)
        let time = journal[journal.count / 2].timestamp
        for topic in Self.recorded {
            let topicPartition = TopicPartition(topic.name(prefix: "intents"), 0)
            starts[topicPartition] = try await pipeline.log.offsets([topicPartition], at: .time(time))[topicPartition]
        }
        let report = try await pipeline.verify(on: TamperedLog(pipeline.log).beginning(at: starts), records: records)
        #expect(report.isSound, "\(report.findings)")
        #expect(report.notes.contains { $0.contains("intents.journal") })
        // What retention has left is checked as before.
        for topic in [Topic.resolved, .confirmed, .responses, .journal] {
            let last = try #require(try await pipeline.records(of: topic).last)
            let log = TamperedLog(pipeline.log).removing(last).beginning(at: starts)
            let report = try await pipeline.verify(on: log)
            let isNamed = report.findings.contains {
                $0.location.contains(topic == .journal ? "//chain" : topic.rawValue)
            }
            #expect(isNamed, "\(topic): \(report.findings)")
        }
    }
}
