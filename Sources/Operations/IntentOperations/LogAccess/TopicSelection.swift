internal import IntentEvents
internal import IntentKit
package import IntentRuntime

/// Named topics, with their descriptions from the log.
package struct TopicSelection {
    package let topics: [TopicDescription]

    /// Finds the topics.
    ///
    /// - Parameters:
    ///   - names: The names, with or without the prefix; none for all of the deployment's.
    ///   - prefix: The deployment's prefix.
    ///   - log: The log.
    /// - Throws: ``OperationError`` for a name that is no topic (66), or when the deployment has none (78); `LogError`.
    package init(_ names: [String], prefix: String, log: any EventLog) async throws {
        let all = try await log.topics()
        let own = all.filter { Topic(name: $0.name, prefix: prefix) != nil }
        guard !own.isEmpty || !names.isEmpty else {
            throw OperationError(
                .configuration,
                "there are no topics with the prefix \(prefix): create them with `intentd topics create --prefix \(prefix)`"
            )
        }
        var topics: [TopicDescription] = names.isEmpty ? own : []
        for name in names {
            guard
                let topic = all.first(where: { $0.name == TopicName("\(prefix).\(name)") || $0.name == TopicName(name) }
                )
            else {
                let known = own.map { String($0.name.text.dropFirst(prefix.count + 1)) }
                throw OperationError(
                    .noInput,
                    "unknown topic \(name), and no topic \(prefix).\(name)\(NearMiss.hint(name, among: known))"
                        + (known.isEmpty ? "" : "; known topics are \(known.joined(separator: ", "))")
                )
            }
            topics.append(topic)
        }
        self.topics = topics
    }

    package var partitions: [TopicPartition] {
        self.topics.flatMap { topic in (0..<topic.partitions).map { TopicPartition(topic.name, $0) } }
    }
}
