internal import IntentEvents

/// Restored entries that are not in the lane's file yet.
///
/// The file is a tree in the order of users and names. The more entries come at once, in its order, the less often its
/// pages are rewritten. So entries are gathered until there are many, and are then written partition by partition.
struct GatheredEntries {
    private struct Partition {
        var users: [UserID: [SpilledEntry]] = [:]
        var count = 0
    }

    private let limit: Int
    private var partitions: [Int: Partition] = [:]
    private var count = 0

    /// Gathers up to about this many entries.
    init(limit: Int) { self.limit = limit }

    /// Adds an entry, which was read after all others.
    mutating func append(_ entry: SpilledEntry) {
        self.partitions[entry.partition, default: Partition()].users[entry.user, default: []].append(entry)
        self.partitions[entry.partition]?.count += 1
        self.count += 1
    }

    /// Removes and returns the entries of the partition that has the most, if there are too many in all.
    mutating func popSurplus() -> (partition: Int, entries: [SpilledEntry])? {
        self.count > self.limit ? self.popLargest() : nil
    }

    /// Removes and returns the entries of the partition that has the most, in the file's order, and only the last one
    /// of each name.
    mutating func popLargest() -> (partition: Int, entries: [SpilledEntry])? {
        guard let (number, partition) = self.partitions.max(by: { $0.value.count < $1.value.count }) else { return nil }
        self.partitions[number] = nil
        self.count -= partition.count
        var sorted: [SpilledEntry] = []
        sorted.reserveCapacity(partition.count)
        for (_, entries) in partition.users.sorted(by: { $0.key < $1.key }) {
            if entries.count == 1 { sorted.append(entries[0]) } else { Self.append(entries, to: &sorted) }
        }
        return (number, sorted)
    }

    /// Appends one user's entries.
    private static func append(_ entries: [SpilledEntry], to sorted: inout [SpilledEntry]) {
        let order = entries.indices.sorted { one, other in
            entries[one].name == entries[other].name ? one < other : entries[one].name < entries[other].name
        }
        for (position, index) in order.enumerated() {
            if position + 1 < order.count, entries[order[position + 1]].name == entries[index].name { continue }
            sorted.append(entries[index])
        }
    }
}
