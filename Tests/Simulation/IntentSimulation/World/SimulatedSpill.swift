internal import IntentEvents
internal import IntentRuntime

/// A lane's file of state: memory that outlives processes, with a pause before and after each access as a disk would
/// have.
///
/// What is written is there at once, all of it or nothing, whatever becomes of the process then.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedSpill: StateSpill, @unchecked Sendable {
    private let faults: Faults
    private var entries: [Int: [UserID: [StateName: SpilledEntry]]] = [:]
    private var kept: [Int: KeptPartition] = [:]

    /// Creates an empty file.
    init(faults: Faults) {
        self.faults = faults
    }

    /// Opens the file for the next process: useful only if it states the position up to which it is valid.
    func reopen() {
        self.entries = self.entries.filter { self.kept[$0.key] != nil }
    }

    func positions() async throws -> [Int: KeptPartition] {
        await self.faults.hop(.disk)
        return self.kept
    }

    func store(_ entries: [SpilledEntry], upTo positions: [Int: KeptPartition], age: Duration) async throws {
        await self.faults.hop(.disk)
        for entry in entries {
            self.entries[entry.partition, default: [:]][entry.user, default: [:]][entry.name] =
                entry.value == nil ? nil : entry
        }
        self.kept.merge(positions) { $1 }
        await self.faults.hop(.disk)
    }

    func load(_ users: [UserID], waiting: [UserID: [StateName]], partition: Int) async throws -> [SpilledEntry] {
        await self.faults.hop(.disk)
        let entries = users.flatMap { user in
            (self.entries[partition]?[user]?.values.sorted(by: Self.order) ?? [])
                .filter { !$0.name.hasPrefix(StateName.queue) }
        }
        let wanted = waiting.sorted { $0.key < $1.key }
            .flatMap { user, names in
                names.compactMap { self.entries[partition]?[user]?[$0] }
            }
        return entries + wanted
    }

    func page(partition: Int, after entry: SpilledEntry?, limit: Int) async throws -> [SpilledEntry] {
        await self.faults.hop(.disk)
        let entries = (self.entries[partition] ?? [:]).values.flatMap(\.values).sorted(by: Self.order)
        return Array(entries.drop { next in entry.map { !Self.order($0, next) } ?? false }.prefix(limit))
    }

    private static func order(_ one: SpilledEntry, _ other: SpilledEntry) -> Bool {
        (one.user, one.name) < (other.user, other.name)
    }

    func drop(partition: Int) async throws {
        await self.faults.hop(.disk)
        self.entries[partition] = nil
        self.kept[partition] = nil
    }

    func close() async {}

    func close(keeping positions: [Int: KeptPartition]) async throws {
        try await self.store([], upTo: positions, age: .zero)
    }
}
