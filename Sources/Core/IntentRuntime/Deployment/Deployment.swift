package import IntentEvents
internal import IntentKit

/// The topics of one prefix, with what was recorded when they were made.
package struct Deployment: Hashable, Sendable {
    /// A random id, made with the topics; all ids of events derive from it (R7).
    package var id: String
    /// The prefix of all topics' names.
    package var prefix: String
    /// The number of partitions of every topic (R6).
    package var partitions: Int
    /// The format of records that its workers write unless another one is set (R57a): 1 in deployments of versions that
    /// knew no other.
    package var format: Int

    package init(id: String, prefix: String, partitions: Int, format: Int = 1) {
        self.id = id
        self.prefix = prefix
        self.partitions = partitions
        self.format = format
    }

    /// The home partition of a user: everything that belongs to the user is in it, in every topic (R1).
    package func home(of user: UserID) -> Int { HomePartition.of(user: user, count: self.partitions) }

    package func topicPartition(_ topic: Topic, _ partition: Int) -> TopicPartition {
        TopicPartition(topic.name(prefix: self.prefix), partition)
    }

    package func topicPartitions(of topic: Topic) -> [TopicPartition] {
        let name = topic.name(prefix: self.prefix)
        return (0..<self.partitions).map { TopicPartition(name, $0) }
    }

    /// An event as a client sends it: in binary mode, keyed by user, to the user's home partition (R1).
    package func request(_ event: Event) -> OutgoingRecord {
        OutgoingRecord(
            topicPartition: self.topicPartition(.requests, self.home(of: event.userID)),
            content: event.content
        )
    }

    private static let identity = "deployment"
    private static let store = "store"

    /// Makes the missing topics and records the deployment's id.
    ///
    /// - Parameters:
    ///   - plan: The topics.
    ///   - log: The log in which they are made.
    ///   - random: Makes the deployment's id.
    /// - Returns: The deployment and the names of the topics that were made.
    /// - Throws: ``LogError``; ``DeploymentError`` when existing topics do not fit.
    package static func create(
        _ plan: TopicPlan,
        on log: any EventLog,
        random: some RandomNumberGenerator = SystemRandomNumberGenerator()
    ) async throws -> (deployment: Deployment, created: Set<TopicName>) {
        let created = try await log.createTopics(plan.topics(brokers: log.brokerCount()))
        if let deployment = try await Self.find(prefix: plan.prefix, on: log) { return (deployment, created) }
        var random = random
        let id = Hex.text((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        // The partition count is recorded with the id, to check later whether it still fits (R6).
        let partitions = try await log.topics().first { $0.name == Topic.state.name(prefix: plan.prefix) }?.partitions
        let value: JSONValue = [
            "format": .integer(Int64(RecordFormats.ofNewDeployments)), "value": .string("\(id):\(partitions ?? 0)"),
        ]
        try await Self.write(name: Self.identity, id: id, value, prefix: plan.prefix, on: log)
        guard let deployment = try await Self.find(prefix: plan.prefix, on: log) else {
            throw DeploymentError("The record just written to \(plan.prefix).state cannot be read back.")
        }
        return (deployment, created)
    }

    /// Finds the deployment and checks that its topics fit each other (R6).
    ///
    /// - Throws: ``LogError``; ``DeploymentError`` that names the topics that are missing or do not fit.
    package static func load(prefix: String, from log: any EventLog) async throws -> Deployment {
        guard let deployment = try await Self.find(prefix: prefix, on: log) else {
            throw DeploymentError(
                "There are no topics with the prefix \(prefix): create them with `intentd topics create --prefix \(prefix)`."
            )
        }
        return deployment
    }

    /// Finds the deployment; nil when its topics do not exist, or were made by another program.
    private static func find(prefix: String, on log: any EventLog) async throws -> Deployment? {
        let counts = Dictionary(uniqueKeysWithValues: try await log.topics().map { ($0.name, $0.partitions) })
        let names = Topic.allCases.map { $0.name(prefix: prefix) }
        let missing = names.filter { counts[$0] == nil }
        if missing.count == names.count { return nil }
        guard missing.isEmpty else {
            throw DeploymentError(
                "Topics are missing: \(missing.map(\.text).joined(separator: ", ")). Create them with "
                    + "`intentd topics create --prefix \(prefix) --partitions \(counts[names.first { counts[$0] != nil }!]!)`."
            )
        }
        let partitions = counts[Topic.requests.name(prefix: prefix)]!
        if let other = names.first(where: { counts[$0] != partitions }) {
            throw DeploymentError(
                "\(Topic.requests.name(prefix: prefix)) has \(partitions) partitions, but \(other) has "
                    + "\(counts[other]!): all topics of a deployment must have the same number (R6)."
            )
        }
        let entry = try await Self.first(Self.identity, prefix: prefix, on: log) { json in
            json["value"]?.string.map { (id: $0, format: json["format"]?.integer) }
        }
        guard let (id, format) = entry else { return nil }
        let parts = id.split(separator: ":")
        if parts.count == 2, let laidDown = Int(parts[1]), laidDown != partitions {
            throw DeploymentError(
                "The topics of \(prefix) were created with \(laidDown) partitions and now have \(partitions): users would "
                    + "lose access to their state (R6). Create topics with another prefix and move to them."
            )
        }
        // A newer version may have made it: what this one cannot write it does not read either.
        let written = min(max(1, format ?? 1), Int64(RecordFormats.current.reads.upperBound))
        return Deployment(id: String(parts[0]), prefix: prefix, partitions: partitions, format: Int(written))
    }

    /// The id of the store that the deployment belongs to; nil when no store has claimed it yet.
    package func claimedStore(on log: any EventLog) async throws -> String? {
        try await Self.first(Self.store, prefix: self.prefix, on: log) { $0["value"]?.string }
    }

    /// Claims the deployment for a store, or checks that it is the same as before (R31).
    ///
    /// - Throws: ``LogError``; ``DeploymentError`` when the deployment belongs to another store.
    package func claim(store: String, on log: any EventLog) async throws {
        if let known = try await self.claimedStore(on: log) {
            guard known == store else { throw self.storeError(store, known) }
            return
        }
        let value: JSONValue = ["value": .string(store)]
        try await Self.write(name: Self.store, id: store, value, prefix: self.prefix, on: log)
        // If two claim at once, the one that is first in the log wins.
        guard let known = try await self.claimedStore(on: log), known == store else {
            throw self.storeError(store, "another")
        }
    }

    private func storeError(_ store: String, _ known: String) -> DeploymentError {
        DeploymentError(
            "The topics of \(self.prefix) belong to the store \(known), but this worker's store is \(store): effects "
                + "could be performed twice (R31). Start it with the data directory of the other workers, or with other "
                + "topics (--prefix)."
        )
    }

    /// The first readable entry that was written under a name.
    ///
    /// Each entry has a key of its own, so that compaction keeps the first one too.
    static func first<Value>(
        _ name: String,
        prefix: String,
        on log: any EventLog,
        _ read: (JSONValue) -> Value?
    ) async throws -> Value? {
        var value: Value?
        try await StateReader.read([TopicPartition(Topic.state.name(prefix: prefix), 0)], of: log) { entries in
            for (_, key, bytes, _) in entries where key.stage == nil && key.name.hasPrefix(name + "/") {
                guard let bytes, value == nil else { continue }
                value = (try? JSONValue(parsing: bytes)).flatMap(read)
            }
            return value == nil
        }
        return value
    }

    /// Writes an entry of the deployment; of several with one name the first one counts.
    static func write(name: String, id: String, _ value: JSONValue, prefix: String, on log: any EventLog) async throws {
        let record = OutgoingRecord(
            topicPartition: TopicPartition(Topic.state.name(prefix: prefix), 0),
            key: StateKey(stage: nil, user: "", name: "\(name)/\(id)").bytes,
            value: value.utf8
        )
        try await log.write([record])
    }
}
