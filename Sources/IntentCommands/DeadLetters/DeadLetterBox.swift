import IntentEvents
import IntentRuntime

/// The current content of the topic `dead-letters`.
///
/// The commands read the topic instead of the record database. A redrive needs the topics anyway, and an operator sees
/// a letter at once, on any machine.
struct DeadLetterBox {
    private let prefix: String
    private let log: any EventLog

    /// Creates the box for a prefix.
    init(prefix: String, log: any EventLog) {
        self.prefix = prefix
        self.log = log
    }

    /// The selected letters, the oldest first.
    /// - Throws: `LogError`; ``CommandFailure`` when there are no topics.
    func letters(_ selects: (DeadLetter) -> Bool) async throws -> [DeadLetter] {
        let partitions = try await TopicSelection([Topic.deadLetters.rawValue], prefix: self.prefix, log: self.log)
            .partitions
        let ends = try await self.log.offsets(partitions, at: .lastStable)
        let starts = try await self.log.offsets(partitions, at: .earliest)
        var letters: [DeadLetter] = []
        try await self.log.read(
            ends.reduce(into: [:]) { stretches, end in
                let start = starts[end.key] ?? 0
                stretches[end.key] = start..<max(start, end.value)
            }
        ) { records in
            letters += records.map { DeadLetter($0, prefix: self.prefix) }.filter(selects)
        }
        return letters.sorted { lhs, rhs in
            (lhs.record.timestamp, lhs.position.partition, lhs.position.offset)
                < (rhs.record.timestamp, rhs.position.partition, rhs.position.offset)
        }
    }

    /// The letters of these names, in their order.
    /// - Throws: `LogError`; ``CommandFailure`` (66) that names a missing one.
    func letters(named names: [DeadLetterName]) async throws -> [DeadLetter] {
        let wanted = Set(names.map(\.text))
        let found = try await self.letters { wanted.contains($0.name) }
        let byName = Dictionary(found.map { ($0.name, $0) }) { $1 }
        var seen: Set<DeadLetterName> = []
        return try names.filter { seen.insert($0).inserted }
            .map { name in
                guard let letter = byName[name.text] else {
                    throw CommandFailure(
                        .noInput,
                        "there is no dead letter \(name.text); `intentd dead-letters list` shows those that there are"
                    )
                }
                return letter
            }
    }
}
