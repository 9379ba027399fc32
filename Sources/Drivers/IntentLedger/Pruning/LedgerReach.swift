internal import IntentEvents
internal import IntentKit
package import IntentRuntime

/// The interactions that may still ask for effects (R30, R48).
///
/// Their requests are on the topic, or they are open or in flight, or a dead letter of theirs could be sent again.
/// Their effects are kept however old they are: a redriven request must find what was done.
package struct LedgerReach: Sendable {
    private let earliest: [Int: Int64]
    private let kept: Set<String>

    /// Finds them, without joining a group.
    ///
    /// The stages' offsets are read first, then the state, then the later records on the topics. So an interaction that
    /// moves meanwhile is found in at least one of the places.
    package static func read(_ deployment: Deployment, on log: any EventLog) async throws -> LedgerReach {
        var pending: [TopicPartition: Int64] = [:]
        for stage in Stage.allCases {
            let inputs = stage.inputTopics.flatMap(deployment.topicPartitions)
            let earliest = try await log.offsets(inputs, at: .earliest)
            let committed = try await log.committedOffsets(
                group: stage.group(prefix: deployment.prefix),
                partitions: inputs
            )
            for topicPartition in inputs {
                let start = max(committed[topicPartition] ?? 0, earliest[topicPartition] ?? 0)
                pending[topicPartition] = min(pending[topicPartition] ?? start, start)
            }
        }
        // The last of a key's entries counts: earlier ones may still be on the topic.
        var named: [StateKey: Set<String>] = [:]
        try await StateReader.read(deployment.topicPartitions(of: .state), of: log) { entries in
            for entry in entries {
                let requests = Self.requests(of: entry.key, entry.value)
                named[entry.key] = requests.isEmpty ? nil : requests
            }
            return true
        }
        var kept = named.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        let letters = deployment.topicPartitions(of: .deadLetters)
        for (topicPartition, start) in try await log.offsets(letters, at: .earliest) { pending[topicPartition] = start }
        let ends = try await log.offsets(Array(pending.keys), at: .lastStable)
        let requests = Topic.requests.name(prefix: deployment.prefix)
        try await log.read(
            Dictionary(pending.map { ($0.key, $0.value..<max($0.value, ends[$0.key] ?? 0)) }) { first, _ in first }
        ) { records in
            for record in records {
                if record.topicPartition.topic == requests {
                    kept.insert("\(record.topicPartition.partition):\(record.offset)")
                }
                Self.keep(record.headers, &kept)
            }
        }
        let earliest = try await log.offsets(deployment.topicPartitions(of: .requests), at: .earliest)
        // A redriven request names the one that it follows, unless that request is itself the dead letter.
        for request in kept {
            guard let position = RequestPosition(request) else { continue }
            let topicPartition = TopicPartition(requests, Int(position.partition))
            guard let start = earliest[topicPartition], position.offset >= start else { continue }
            try await log.read([topicPartition: position.offset..<position.offset + 1]) { records in
                for record in records { Self.keep(record.headers, &kept) }
            }
        }
        return LedgerReach(
            earliest: Dictionary(earliest.map { ($0.key.partition, $0.value) }) { first, _ in first },
            kept: kept
        )
    }

    /// Whether effects under that position may still be asked for; a text that is no position counts as such, so that
    /// it is not removed.
    func reaches(_ request: String) -> Bool {
        guard let position = RequestPosition(request), let start = self.earliest[Int(position.partition)] else {
            return true
        }
        return position.offset >= start || self.kept.contains(request)
    }

    /// The requests in an entry of the state: those of open or followed interactions, and of waiting events.
    private static func requests(of key: StateKey, _ value: [UInt8]?) -> Set<String> {
        guard let value else { return [] }
        var requests: Set<String> = []
        var interaction: Interaction?
        var event: StoredRecord?
        let family = key.name.family
        if family == StateName.interactions {
            interaction = Interaction(text: value)
        } else if family == StateName.followedInteractions {
            interaction = FollowedInteraction(text: value)?.interaction
        } else if key.name == StateName.parked {
            event = ParkedTurn.event(in: value)
        } else if family == StateName.queue {
            event = StoredRecord(text: value)
        }
        if let interaction { requests.formUnion([interaction.request.text, interaction.origin.text]) }
        guard let event else { return requests }
        if event.position.topic == .requests { requests.insert("\(event.position.partition):\(event.position.offset)") }
        Self.keep(event.headers, &requests)
        return requests
    }

    private static func keep(_ headers: [LogHeader], _ kept: inout Set<String>) {
        for header in headers
        where [EventHeaderName.request, EventHeaderName.redriveOf, "intentd_request"].contains(header.name) {
            if let text = header.text { kept.insert(text) }
        }
    }
}
