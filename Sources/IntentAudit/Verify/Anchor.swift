package import IntentEvents
package import IntentKit
package import IntentRuntime

/// The heads of all chains at a moment, to be kept where nobody who can write to the topics can write (R41, R46).
///
/// A chain alone cannot show that its end was cut off; with a head that was kept elsewhere it can: the turn with that
/// digest must still be there, and all before it, since each digest covers the one before.
package struct Anchor: Hashable, Sendable {
    /// The last turn of a stage in a partition.
    package struct Head: Hashable, Sendable {
        /// The stage.
        package var stage: Stage
        /// The partition.
        package var partition: Int
        /// The digest of its last turn.
        package var digest: String

        /// Names a head.
        package init(stage: Stage, partition: Int, digest: String) {
            self.stage = stage
            self.partition = partition
            self.digest = digest
        }
    }

    /// The deployment's id.
    package var deployment: String
    /// When the heads were read.
    package var at: Timestamp
    /// The heads, by stage and partition.
    package var heads: [Head]

    /// Reads the heads as they are now.
    package static func read(_ deployment: Deployment, from log: any EventLog, at now: Timestamp) async throws -> Anchor
    {
        let topic = Topic.state.name(prefix: deployment.prefix)
        var heads: [StateKey: [Int: String]] = [:]
        try await StateReader.read((0..<deployment.partitions).map { TopicPartition(topic, $0) }, of: log) { entries in
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
        return Anchor(
            deployment: deployment.id,
            at: now,
            heads: all.sorted { ($0.stage, $0.partition) < ($1.stage, $1.partition) }
        )
    }

    /// Describes heads.
    package init(deployment: String, at: Timestamp, heads: [Head]) {
        self.deployment = deployment
        self.at = at
        self.heads = heads
    }

    /// The file's JSON.
    package var json: JSONValue {
        [
            "deployment": .string(self.deployment), "at": .string(self.at.description),
            "heads": .array(
                self.heads.map {
                    [
                        "stage": .string($0.stage.rawValue), "partition": .integer(Int64($0.partition)),
                        "digest": .string($0.digest),
                    ]
                }
            ),
        ]
    }

    /// Reads a file's JSON; nil when it is none.
    package init?(json: JSONValue) {
        guard let deployment = json["deployment"]?.string, let at = json["at"]?.string.flatMap(Timestamp.init),
            let array = json["heads"]?.array
        else { return nil }
        let heads = array.compactMap { head -> Head? in
            guard let stage = head["stage"]?.string.flatMap(Stage.init(rawValue:)),
                let partition = head["partition"]?.integer, let digest = head["digest"]?.string
            else { return nil }
            return Head(stage: stage, partition: Int(partition), digest: digest)
        }
        guard heads.count == array.count else { return nil }
        self.init(deployment: deployment, at: at, heads: heads)
    }
}
