import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentAudit

/// Chains of anchors in which a seed changes something, and journals in which it looks for turns.
@Suite("R46: random chains of anchors, and the turns that they name")
struct AnchorModelTests {
    /// What somebody does to one anchor of a chain.
    private enum Change: CaseIterable {
        case nothing
        /// The anchor is missing.
        case removed
        /// It is there twice.
        case doubled
        /// It holds no digest of the one before.
        case withoutPrevious
        /// It holds another digest.
        case otherPrevious
        /// It was read at another time; the one after it still holds the right one's digest.
        case exchanged
        /// Another one of its number is there, too.
        case rival
    }

    private static func anchor(_ number: Int, after previous: String?, at time: Int64) throws -> Anchor {
        var members: JSONObject = [
            "deployment": "d", "at": .string(Timestamp(milliseconds: time).description),
            "number": .integer(Int64(number)), "heads": [],
        ]
        members["previous"] = previous.map(JSONValue.string)
        return try #require(Anchor(json: .object(members)))
    }

    @Test("A change is found at the anchor that it concerns or at the next one", arguments: 0..<60)
    func findsChangeAtItsAnchorOrTheNext(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        var anchors: [Anchor] = []
        for number in 1...numbers.below(5) + 3 {
            anchors.append(try Self.anchor(number, after: anchors.last?.digest, at: Int64(number) * 1_000))
        }
        // Neither the first nor the last, which have no neighbour on one side.
        let index = 1 + numbers.below(anchors.count - 2)
        let (anchor, before) = (anchors[index], anchors[index - 1])
        let number = index + 1
        let change = Change.allCases[Int(seed) % Change.allCases.count]
        var (found, notes): ([String], [String]) = ([], [])
        switch change {
        case .nothing: break
        case .removed:
            anchors.remove(at: index)
            notes = ["Anchors \(number) to \(number) are missing."]
        case .doubled: anchors.append(anchor)
        case .withoutPrevious, .otherPrevious, .exchanged:
            let previous: String? =
                switch change {
                case .withoutPrevious: nil
                case .otherPrevious: anchors[numbers.coin() ? index : index + 1].digest
                default: before.digest
                }
            anchors[index] = try Self.anchor(
                number,
                after: previous,
                at: change == .exchanged ? 5 : anchor.at.milliseconds
            )
            // The one after it holds the digest of the one that was there.
            found = change == .exchanged ? ["anchor \(number + 1)"] : ["anchor \(number)", "anchor \(number + 1)"]
        case .rival:
            // It comes first, since it is the older one: so the right one is found, and the one after that is sound.
            anchors.append(try Self.anchor(number, after: before.digest, at: 5))
            found = ["anchor \(number)"]
        }
        anchors.shuffle(using: &numbers)
        let report = AnchorCheck(anchors, publicKey: nil).report
        #expect(report.findings.map(\.location) == found, "\(change): \(report.findings)")
        #expect(report.notes.filter { $0.contains("are missing") } == notes)
    }

    @Test("A turn is found anywhere in the journal, also at the edges of what is read at once")
    func findsTurnAnywhereInJournal() async throws {
        let log = InMemoryLog()
        let topicPartition = TopicPartition("intents.journal", 0)
        _ = try await log.createTopics([TopicDescription(name: topicPartition.topic, partitions: 1)])
        let producer = try await log.makeProducer()
        let count = 10_500
        for start in stride(from: 0, to: count, by: 500) {
            _ = try await producer.send(
                (start..<start + 500)
                    .map { number in
                        OutgoingRecord(topicPartition: topicPartition, key: nil, value: Array("turn \(number)".utf8))
                    }
            )
        }
        var records: [LogRecord] = []
        let cursor = PartitionCursor(log, topicPartition, from: 0, to: Int64(count))
        while let batch = try await cursor.next() { records += batch }
        try #require(records.count == count)
        // The windows have 2,000 and 8,000 records, from the end backwards.
        var offsets = [0, 1, 498, 499, 500, 501, 8_498, 8_499, 8_500, 8_501, 10_498, 10_499]
        var numbers = SeededNumbers(seed: 1)
        offsets += (0..<20).map { _ in numbers.below(count) }
        let finder = AnchorFinder(log: log, partition: topicPartition)
        let digests = Dictionary(offsets.map { ($0, RecordDigest.of(records[$0])) }) { $1 }
        let all = try await finder.positions(of: Set(digests.values).union(["unknown"]), in: 0..<Int64(count))
        #expect(all.mapValues(\.offset) == Dictionary(uniqueKeysWithValues: digests.map { ($0.value, Int64($0.key)) }))
        // Only what the journal still holds.
        let rest = try await finder.positions(of: Set(digests.values), in: 499..<Int64(10_499))
        #expect(Set(rest.values.map(\.offset)) == Set(offsets.filter { (499..<10_499).contains($0) }.map(Int64.init)))
        for (offset, digest) in digests {
            let found = try await finder.positions(of: [digest], in: Int64(max(0, offset - 1))..<Int64(count))
            #expect(found[digest]?.offset == Int64(offset))
            #expect(found[digest]?.timestamp == records[offset].timestamp)
        }
    }
}
