internal import IntentEvents
internal import IntentRuntime

/// Where a lane puts state away: memory, with a pause before each access as a disk would have.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedSpill: StateSpill, @unchecked Sendable {
    private let faults: Faults
    private var entries: [Int: [UserID: [StateName: SpilledEntry]]] = [:]
    let kept: [Int: KeptPartition]
    /// What whoever comes next finds to be kept.
    private var left: [Int: KeptPartition] = [:]

    /// Makes an empty place.
    init(faults: Faults) {
        self.faults = faults
        self.kept = [:]
    }

    /// Takes over what another one has left; that is not to be found a second time.
    private init(from other: SimulatedSpill) {
        self.faults = other.faults
        self.kept = other.left
        if !self.kept.isEmpty { self.entries = other.entries }
        other.left = [:]
    }

    /// The place as it is found by who comes next.
    func reopen() -> SimulatedSpill { SimulatedSpill(from: self) }

    func store(_ entries: [SpilledEntry]) async throws {
        await self.faults.hop(.disk)
        for entry in entries {
            self.entries[entry.partition, default: [:]][entry.user, default: [:]][entry.name] =
                entry.value == nil ? nil : entry
        }
    }

    func take(_ users: [UserID], partition: Int) async throws -> [SpilledEntry] {
        await self.faults.hop(.disk)
        return users.flatMap { self.entries[partition]?.removeValue(forKey: $0)?.values.sorted(by: Self.order) ?? [] }
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
    }

    func close() async {
        self.entries = [:]
    }

    func close(keeping partitions: [Int: KeptPartition]) async throws {
        await self.faults.hop(.disk)
        self.left = partitions
    }
}
