internal import IntentEvents
internal import IntentRuntime

/// Determines the interactions of findings that only name a location.
struct FindingOwners {
    /// The number of findings whose records are read.
    private static let limit = 1_000

    let log: any EventLog
    let prefix: String

    /// The findings, each with its interaction as far as its location shows it.
    func resolve(_ findings: [AuditFinding]) async throws -> [AuditFinding] {
        var resolved = findings
        for index in resolved.indices where resolved[index].about == nil {
            resolved[index].about = Self.owner(ofState: resolved[index])
        }
        let open = resolved.indices.filter { resolved[$0].about?.interactionID == nil }.prefix(Self.limit)
        let owners = try await self.owners(Set(open.compactMap { Self.position(resolved[$0]) }))
        for index in open {
            guard let owner = Self.position(resolved[index]).flatMap({ owners[$0] }) else { continue }
            resolved[index].about = owner
        }
        return resolved
    }

    /// The position of the record that a finding is about; for a row or a state entry that of its interaction's
    /// request.
    static func position(_ finding: AuditFinding) -> RecordPosition? {
        let location = finding.location
        if let position = RecordPosition(location) { return position }
        if let key = Self.stateKey(finding) {
            return key.name.hasPrefix(StateName.interactions)
                ? Self.request(
                    String(decoding: key.name.utf8.dropFirst(StateName.interactions.utf8.count), as: UTF8.self)
                )
                : nil
        }
        let parts = location.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2 else { return nil }
        switch parts[0] {
        case "events": return RecordPosition(parts[1])
        case "turns": return RecordPosition("\(Topic.journal.rawValue)/\(parts[1])")
        case "interactions": return RecordPosition("\(Topic.requests.rawValue)/\(parts[1])")
        case "user_activities": return RecordPosition("\(Topic.userActivities.rawValue)/\(parts[1])")
        case "dead_letters": return RecordPosition("\(Topic.deadLetters.rawValue)/\(parts[1])")
        case "effects", "undone_effects", "closed_ledgers": return Self.request(parts[1])
        default: return nil
        }
    }

    /// The position of a request on its topic, from `partition:offset`.
    private static func request(_ text: String) -> RecordPosition? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int(parts[0]), let offset = Int64(parts[1]) else { return nil }
        return RecordPosition(.requests, partition, offset)
    }

    private static func stateKey(_ finding: AuditFinding) -> StateKey? {
        guard finding.subject == .state, let space = finding.location.firstIndex(of: " ") else { return nil }
        return StateKey(Array(finding.location[finding.location.index(after: space)...].utf8))
    }

    /// The user of a state entry, and the interaction that it remembers.
    private static func owner(ofState finding: AuditFinding) -> InteractionReference? {
        guard let key = Self.stateKey(finding), !key.user.isEmpty else { return nil }
        var owner = InteractionReference(userID: key.user)
        if key.name.hasPrefix(StateName.knownInteractions) {
            let count = StateName.knownInteractions.utf8.count
            owner.interactionID = InteractionID(String(decoding: key.name.utf8.dropFirst(count), as: UTF8.self))
        }
        return owner
    }

    /// Reads the records at positions.
    private func owners(_ positions: Set<RecordPosition>) async throws -> [RecordPosition: InteractionReference] {
        let byPartition = Dictionary(grouping: positions) {
            TopicPartition($0.topic.name(prefix: self.prefix), $0.partition)
        }
        guard !byPartition.isEmpty else { return [:] }
        let known = Set(try await self.log.topics().map(\.name))
        let partitions = byPartition.keys.filter { known.contains($0.topic) }.sorted()
        let starts = try await self.log.offsets(partitions, at: .earliest)
        let ends = try await self.log.offsets(partitions, at: .lastStable)
        var owners: [RecordPosition: InteractionReference] = [:]
        for partition in partitions {
            let wanted = Dictionary((byPartition[partition] ?? []).map { ($0.offset, $0) }) { first, _ in first }
            let first = max(wanted.keys.min() ?? 0, starts[partition] ?? 0)
            let last = min(wanted.keys.max() ?? 0, (ends[partition] ?? 0) - 1)
            guard first <= last else { continue }
            let cursor = PartitionCursor(self.log, partition, from: first, to: last + 1)
            while let records = try await cursor.next() {
                for record in records {
                    guard let position = wanted[record.offset] else { continue }
                    owners[position] = Self.owner(of: record, at: position)
                }
            }
            await cursor.close()
        }
        return owners
    }

    private static func owner(of record: LogRecord, at position: RecordPosition) -> InteractionReference? {
        if position.topic == .journal { return TurnRecord(record).map { InteractionReference($0) } }
        let timestamp = Timestamp(milliseconds: record.timestamp)
        return (try? Event(record.content, position: position, timestamp: timestamp)).map { InteractionReference($0) }
    }
}
