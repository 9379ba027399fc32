internal import IntentRuntime

/// Where a lane puts state away: memory, with a pause before each access as a disk would have.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedSpill: StateSpill, @unchecked Sendable {
    private let faults: Faults
    private var states: [Int: [String: SpilledState]] = [:]

    /// Makes an empty place.
    init(faults: Faults) { self.faults = faults }

    func store(_ states: [SpilledState]) async throws {
        await self.faults.hop(.disk)
        for state in states { self.states[state.partition, default: [:]][state.user] = state }
    }

    func take(_ users: [String], partition: Int) async throws -> [SpilledState] {
        await self.faults.hop(.disk)
        return users.compactMap { self.states[partition]?.removeValue(forKey: $0) }
    }

    func page(partition: Int, after user: String?, limit: Int) async throws -> [SpilledState] {
        await self.faults.hop(.disk)
        let users = (self.states[partition] ?? [:]).keys.filter { user == nil || $0 > user! }.sorted()
        return users.prefix(limit).compactMap { self.states[partition]?[$0] }
    }

    func drop(partition: Int) async throws {
        await self.faults.hop(.disk)
        self.states[partition] = nil
    }

    func close() async {}
}
