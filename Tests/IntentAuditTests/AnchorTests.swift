import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import Testing

@Suite("R41, R46: anchors reveal tampering even by those who can write everything")
struct AnchorTests {
    private static let registrations = [IntentRegistration(confirmation: .always) { TransferHandler() }]

    private static func run(_ log: InMemoryLog, _ ids: [String]) async throws -> Pipeline {
        try await Pipeline.run(Self.registrations, partitions: 1, log: log) { pipeline in
            for id in ids { try await pipeline.transfer(InteractionID(id)) }
        }
    }

    private static func json(_ anchor: Anchor, _ change: (inout JSONObject) -> Void) throws -> Anchor {
        var members = try #require(anchor.json.object)
        change(&members)
        return try #require(Anchor(json: .object(members)))
    }

    /// The log after somebody who can write topics and state has rewritten everything consistently: one request is
    /// different, and all digests and chains are recomputed.
    private static func rewritten(_ pipeline: Pipeline) async throws -> TamperedLog {
        var log = TamperedLog(pipeline.log)
        let victim = try #require(
            try await pipeline.records(of: .requests)
                .first { String(decoding: $0.value ?? [], as: UTF8.self).contains("\"amount\":20") }
        )
        var forged = victim
        forged.value = Array(
            String(decoding: victim.value ?? [], as: UTF8.self).replacing("\"amount\":20", with: "\"amount\":99").utf8
        )
        log = log.changing(victim) { $0.value = forged.value }
        var previous: [Stage: String] = [:]
        var digests: [String: String] = [:]
        for record in try await pipeline.records(of: .journal) {
            var turn = try #require(TurnRecord(record))
            turn.previousDigest = previous[turn.stage] ?? ""
            if turn.position == RecordPosition(.requests, 0, victim.offset) {
                turn.eventDigest = RecordDigest.of(forged)
            }
            var changed = record
            changed.value = turn.json.utf8
            log = log.changing(record) { $0.value = changed.value }
            previous[turn.stage] = RecordDigest.of(changed)
            digests[RecordDigest.of(record)] = RecordDigest.of(changed)
        }
        for record in try await pipeline.records(of: .state) {
            guard let key = record.key.flatMap({ StateKey($0) }), key.name == StateKey.chain else { continue }
            let digest = try #require(digests[String(decoding: record.value ?? [], as: UTF8.self)])
            log = log.changing(record) { $0.value = Array(digest.utf8) }
        }
        return log
    }

    @Test("Somebody who rewrites topics, state, records and all chains cannot make a signed anchor, which reveals it")
    func signedAnchorRevealsFullRewrite() async throws {
        let log = InMemoryLog()
        let pipeline = try await Self.run(log, ["one", "two", "three"])
        let key = SigningKey()
        let anchor = try await Anchor.read(
            pipeline.deployment,
            from: log,
            at: Timestamp(milliseconds: 1),
            signedBy: key
        )
        #expect(anchor.signatureCheck == .signed(key.publicKey))
        #expect(anchor.heads.count == 3 && anchor.heads.allSatisfy { $0.offset != nil && $0.time != nil })
        let honest = try await pipeline.verify(anchors: [anchor], publicKey: key.publicKey)
        #expect(honest.isSound && honest.anchors == 3, "\(honest.findings)")

        let rewritten = try await Self.rewritten(pipeline)
        let directory = try TemporaryDirectory()
        let records = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: records, from: rewritten, prefix: "intents")
        // The rewritten records do not contradict each other.
        let alone = try await pipeline.verify(on: rewritten, records: records)
        #expect(alone.isSound, "\(alone.findings)")
        let report = try await pipeline.verify(
            on: rewritten,
            records: records,
            anchors: [anchor],
            publicKey: key.publicKey
        )
        #expect(report.findings.map(\.subject) == [.anchor])
        #expect(report.findings.first?.location == "journal/0")

        // Anchors of the rewritten log: unsigned, signed by somebody else, and with the first one changed.
        let own = SigningKey()
        let unsigned = try await Anchor.read(pipeline.deployment, from: rewritten, at: anchor.at)
        let foreign = try await Anchor.read(pipeline.deployment, from: rewritten, at: anchor.at, signedBy: own)
        let changed = try Self.json(anchor) { $0["heads"] = foreign.json["heads"] }
        let claimed = try Self.json(foreign) { $0["publicKey"] = .string(key.publicKey.description) }
        for (forged, words) in [
            (unsigned, "is not signed"), (foreign, own.publicKey.description), (changed, "signature is invalid"),
            (claimed, "signature is invalid"),
        ] {
            let report = try await pipeline.verify(on: rewritten, anchors: [forged], publicKey: key.publicKey)
            #expect(report.findings.map(\.subject) == [.anchor], "\(words)")
            #expect(report.findings.first?.detail.contains(words) == true, "\(report.findings)")
        }
        // Without the key nobody can check the signature; the report says so.
        let trusting = try await pipeline.verify(on: rewritten, anchors: [foreign])
        #expect(trusting.isSound && trusting.notes.contains { $0.contains("--public-key") })
        #expect(
            try await pipeline.verify(on: rewritten, anchors: [unsigned]).notes.contains { $0.contains("not signed") }
        )
    }

    @Test("Each anchor holds the digest of the one before: a replaced or missing one is found")
    func anchorsChainByDigest() async throws {
        let log = InMemoryLog()
        let key = SigningKey()
        var anchors: [Anchor] = []
        for number in 1...3 {
            let pipeline = try await Self.run(log, ["i\(number)"])
            anchors.append(
                try await Anchor.read(
                    pipeline.deployment,
                    from: log,
                    at: Timestamp(milliseconds: Int64(number)),
                    after: anchors.last,
                    signedBy: key
                )
            )
        }
        #expect(anchors.map(\.number) == [1, 2, 3])
        #expect(anchors[2].previous == anchors[1].digest)
        let pipeline = try await Self.run(log, [])
        let sound = try await pipeline.verify(anchors: anchors.reversed(), publicKey: key.publicKey)
        #expect(sound.isSound && sound.anchors == 9, "\(sound.findings)")
        // Another anchor of the same moment, which is not the one that the next one follows.
        let other = try await Anchor.read(
            pipeline.deployment,
            from: log,
            at: anchors[1].at,
            after: anchors[0],
            signedBy: key
        )
        let exchanged = AnchorCheck([anchors[0], other, anchors[2]], publicKey: key.publicKey).report
        #expect(exchanged.findings.map(\.location) == ["anchor 3"])
        #expect(!AnchorCheck([anchors[1], other], publicKey: key.publicKey).report.isSound)
        let gap = AnchorCheck([anchors[0], anchors[2]], publicKey: key.publicKey).report
        #expect(gap.isSound && gap.notes == ["Anchors 2 to 2 are missing."])
    }

    @Test("An anchor of what retention has removed is a note; of what was removed too early, a finding")
    func agedAnchorIsNoteUnlessTooEarly() async throws {
        let log = InMemoryLog()
        let key = SigningKey()
        let first = try await Self.run(log, ["one"])
        let early = try await Anchor.read(first.deployment, from: log, at: SystemRuntimeClock().now, signedBy: key)
        let pipeline = try await Self.run(log, ["two", "three"])
        let late = try await Anchor.read(
            pipeline.deployment,
            from: log,
            at: SystemRuntimeClock().now,
            after: early,
            signedBy: key
        )
        var starts: [TopicPartition: Int64] = [:]
        let cut = try #require(early.heads.compactMap(\.offset).max()) + 1
        let time = try #require(try await pipeline.records(of: .journal).first { $0.offset >= cut }).timestamp
        for topic in Topic.allCases where topic != .state {
            let topicPartition = TopicPartition(topic.name(prefix: "intents"), 0)
            starts[topicPartition] = try await log.offsets([topicPartition], at: .time(time))[topicPartition]
        }
        starts[TopicPartition("intents.journal", 0)] = cut
        let left = TamperedLog(log).beginning(at: starts)
        let later = SystemRuntimeClock().now + 31 * 86_400_000
        let report = try await pipeline.verify(on: left, anchors: [early, late], publicKey: key.publicKey, at: later)
        #expect(report.isSound && report.anchors == 3, "\(report.findings)")
        #expect(report.notes.contains { $0.contains("3 anchored turns of journal/0") }, "\(report.notes)")
        let only = try await pipeline.verify(on: left, anchors: [early], publicKey: key.publicKey, at: later)
        #expect(
            only.isSound && only.notes.contains { $0.contains("no longer holds an anchored turn") },
            "\(only.findings)"
        )
        let soon = try await pipeline.verify(on: left, anchors: [early], publicKey: key.publicKey)
        #expect(soon.findings.map(\.subject) == [.anchor, .anchor, .anchor])
        #expect(soon.findings.allSatisfy { $0.detail.contains("before the topic's retention of 30 days") })
    }

    @Test("A key's file can be read back, its secret is never printed, and public keys have 64 digits")
    func keyFileRoundTripsWithoutPrinting() throws {
        let key = SigningKey()
        let again = try #require(SigningKey(text: key.fileText))
        #expect(again.publicKey == key.publicKey)
        #expect(VerifyingKey(key.publicKey.description) == key.publicKey)
        for text in ["", "x", "intentd-ed25519-private-key abc", key.publicKey.description] {
            #expect(SigningKey(text: text) == nil)
        }
        #expect(VerifyingKey(String(key.publicKey.description.dropLast())) == nil)
        let secret = try #require(key.fileText.split(separator: " ").last?.prefix(64))
        var dumped = ""
        dump(key, to: &dumped)
        #expect(secret.count == 64)
        for text in ["\(key)", String(reflecting: key), dumped] { #expect(!text.contains(secret)) }
    }
}
