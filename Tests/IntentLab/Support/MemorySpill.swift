package import IntentEvents
package import IntentRuntime
import Synchronization

/// A lane's file in memory.
package final class MemorySpill: StateSpill {
    private struct State {
        var written: [SpilledEntry]
        var positions: [Int: KeptPartition]
    }

    private let state: Mutex<State>
    private let onPositions: @Sendable () -> Void

    /// Holds entries, and counts as true up to these positions.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - positions: The positions.
    ///   - onPositions: Called when a lane asks for the positions, before it restores.
    package init(
        _ entries: [SpilledEntry] = [],
        positions: [Int: KeptPartition] = [:],
        onPositions: @escaping @Sendable () -> Void = {}
    ) {
        self.state = Mutex(State(written: entries, positions: positions))
        self.onPositions = onPositions
    }

    /// All entries that were written and not dropped, in order.
    package var written: [SpilledEntry] { self.state.withLock(\.written) }

    package func positions() async throws -> [Int: KeptPartition] {
        self.onPositions()
        return self.state.withLock(\.positions)
    }

    package func store(_ entries: [SpilledEntry], upTo positions: [Int: KeptPartition], age: Duration) async throws {
        self.state.withLock { state in
            state.written += entries
            state.positions.merge(positions) { $1 }
        }
    }

    package func load(_ users: [UserID], waiting: [UserID: [StateName]], partition: Int) async throws -> [SpilledEntry]
    {
        self.written.filter { $0.partition == partition && users.contains($0.user) }
    }

    package func page(partition: Int, after entry: SpilledEntry?, limit: Int) async throws -> [SpilledEntry] {
        var last: [UserID: [StateName: SpilledEntry]] = [:]
        for one in self.written where one.partition == partition { last[one.user, default: [:]][one.name] = one }
        let all = last.values.flatMap(\.values).filter { $0.value != nil }
            .sorted { ($0.user, $0.name) < ($1.user, $1.name) }
        let rest = all.drop { one in entry.map { (one.user, one.name) <= ($0.user, $0.name) } ?? false }
        return Array(rest.prefix(limit))
    }

    package func drop(partition: Int) async throws {
        self.state.withLock { state in
            state.written.removeAll { $0.partition == partition }
            state.positions[partition] = nil
        }
    }

    package func close() async {}

    package func close(keeping positions: [Int: KeptPartition]) async throws {
        self.state.withLock { $0.positions = positions }
    }
}
