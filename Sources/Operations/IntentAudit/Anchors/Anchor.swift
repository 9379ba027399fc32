package import IntentEvents
package import IntentKit
package import IntentRuntime

/// The heads of all chains at one moment, to be kept where those who can write to the topics cannot reach them (R41,
/// R46).
///
/// A chain alone cannot show that its end was cut off, or that a person who can write everything has rebuilt all of it.
/// A head that was kept elsewhere can show it: the turn with that digest must still be there, and so must all turns
/// before it, since each digest covers the one before. Anchors are signed, and each holds the digest of the previous
/// anchor. Write access to the place where anchors are kept is therefore not enough to forge one or to leave one out.
package struct Anchor: Hashable, Sendable {
    /// The last turn of a stage in a partition.
    package struct Head: Hashable, Sendable {
        package var stage: Stage
        package var partition: Int
        /// The digest of its last turn.
        package var digest: String
        /// The offset of that turn on `journal`; nil in anchors that do not say.
        package var offset: Int64?
        /// The time of that turn's record; nil in anchors that do not say.
        package var time: Timestamp?

        package init(stage: Stage, partition: Int, digest: String, offset: Int64? = nil, time: Timestamp? = nil) {
            self.stage = stage
            self.partition = partition
            self.digest = digest
            self.offset = offset
            self.time = time
        }
    }

    /// The deployment's id.
    package let deployment: String
    /// When the heads were read.
    package let at: Timestamp
    /// The heads, by stage and partition.
    package let heads: [Head]
    /// The anchor's number in its chain; nil in one that follows none and begins no chain.
    package let number: Int?
    /// The digest of the anchor before it; nil in the first.
    package let previous: String?
    /// The file's JSON.
    package let json: JSONValue

    /// SHA-256 of the written form.
    package var digest: String { RecordDigest.of(self.json.utf8) }
    package var signatureCheck: SignedJSON.Check { SignedJSON.check(self.json, as: .anchor) }
    /// The name that findings use for it.
    package var name: String { self.number.map { "anchor \($0)" } ?? "anchor of \(self.at)" }

    /// Reads the heads as they are now.
    ///
    /// - Parameters:
    ///   - deployment: The topics.
    ///   - log: The log that holds them.
    ///   - now: The time.
    ///   - previous: The previous anchor, whose digest the new one holds.
    ///   - key: The key that signs it; nil leaves it unsigned.
    /// - Returns: The anchor.
    /// - Throws: ``LogError``; `AuditError` when the previous anchor belongs to another deployment.
    package static func read(
        _ deployment: Deployment,
        from log: any EventLog,
        at now: Timestamp,
        after previous: Anchor? = nil,
        signedBy key: SigningKey? = nil
    ) async throws -> Anchor {
        if let previous, previous.deployment != deployment.id {
            throw AuditError(
                .badData,
                "The previous anchor belongs to deployment \(previous.deployment), but these topics belong to "
                    + "\(deployment.id)."
            )
        }
        let heads = try await Self.located(try await Self.heads(deployment, log), deployment, log, previous)
        var members: JSONObject = [
            "deployment": .string(deployment.id), "at": .string(now.description),
            "number": .integer(Int64((previous?.number ?? 0) + 1)), "heads": .array(heads.map(\.json)),
        ]
        members["previous"] = previous.map { .string($0.digest) }
        let json = key.map { SignedJSON.sign(.object(members), as: .anchor, with: $0) } ?? .object(members)
        guard let anchor = Anchor(json: json) else {
            throw AuditError(.badData, "The new anchor cannot be read.")
        }
        return anchor
    }

    private static func heads(_ deployment: Deployment, _ log: any EventLog) async throws -> [Head] {
        var heads: [StateKey: [Int: String]] = [:]
        try await StateReader.read(deployment.topicPartitions(of: .state), of: log) { entries in
            for entry in entries where entry.key.user.isEmpty && entry.key.name == StateKey.chain {
                let digest = entry.value.map { String(decoding: $0, as: UTF8.self) }
                heads[entry.key, default: [:]][entry.partition] = digest
            }
            return true
        }
        let all = heads.flatMap { key, heads in
            heads.compactMap { partition, digest in
                key.stage.map { Head(stage: $0, partition: partition, digest: digest) }
            }
        }
        return all.sorted { ($0.stage, $0.partition) < ($1.stage, $1.partition) }
    }

    /// The heads with their offsets: from the previous anchor where no turn has followed since, otherwise from the
    /// journal.
    private static func located(
        _ heads: [Head],
        _ deployment: Deployment,
        _ log: any EventLog,
        _ previous: Anchor?
    ) async throws -> [Head] {
        var known: [String: Head] = [:]
        for head in previous?.heads ?? [] where head.offset != nil { known[head.digest] = head }
        var open: [Int: Set<String>] = [:]
        for head in heads where known[head.digest] == nil { open[head.partition, default: []].insert(head.digest) }
        let partitions = open.keys.map { deployment.topicPartition(.journal, $0) }
        let starts = try await log.offsets(partitions, at: .earliest)
        let ends = try await log.offsets(partitions, at: .end)
        for partition in partitions {
            let start = starts[partition] ?? 0
            let positions = try await AnchorFinder(log: log, partition: partition)
                .positions(of: open[partition.partition] ?? [], in: start..<max(start, ends[partition] ?? 0))
            for head in heads where head.partition == partition.partition {
                guard let position = positions[head.digest] else { continue }
                var located = head
                located.offset = position.offset
                located.time = Timestamp(milliseconds: position.timestamp)
                known[head.digest] = located
            }
        }
        return heads.map { known[$0.digest] ?? $0 }
    }

    /// Reads a file's JSON; nil when it is not an anchor.
    package init?(json: JSONValue) {
        guard let deployment = json["deployment"]?.string, let at = json["at"]?.string.flatMap(Timestamp.init),
            let array = json["heads"]?.array
        else { return nil }
        let heads = array.compactMap(Head.init(json:))
        guard heads.count == array.count else { return nil }
        self.deployment = deployment
        self.at = at
        self.heads = heads
        self.number = json["number"]?.integer.flatMap(Int.init(exactly:))
        self.previous = json["previous"]?.string
        self.json = json
    }
}

extension Anchor.Head {
    var json: JSONValue {
        .members([
            "stage": .string(self.stage.rawValue), "partition": .integer(Int64(self.partition)),
            "digest": .string(self.digest), "offset": self.offset.map(JSONValue.integer),
            "time": self.time.map { .string($0.description) },
        ])
    }

    /// Reads a head; nil when the JSON is not one.
    init?(json: JSONValue) {
        guard let stage = json["stage"]?.string.flatMap(Stage.init(rawValue:)),
            let partition = json["partition"]?.integer.flatMap(Int.init(exactly:)), let digest = json["digest"]?.string
        else { return nil }
        self.init(
            stage: stage,
            partition: partition,
            digest: digest,
            offset: json["offset"]?.integer,
            time: json["time"]?.string.flatMap(Timestamp.init)
        )
    }
}
