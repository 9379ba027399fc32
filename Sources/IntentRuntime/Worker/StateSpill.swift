package import IntentEvents

/// A lane's own copy of its partitions' state, in a file: users that memory has no room for are evicted to it, and the next
/// lane of that name reads only what came since.
///
/// It holds copies of what the topic `state` holds; nothing of it need survive. Whatever ended its process, it says up to
/// which offset it is true: each entry of a partition with a position is as the topic has it at that offset or at a later
/// one. So a lane that reads the topic from there, and replaces each entry that it reads, has the state. Used by one lane
/// at a time; none of the calls blocks the caller's thread.
package protocol StateSpill: Sendable {
    /// Up to where the file is true now, by partition; what else it may have of other partitions is worth nothing.
    func positions() async throws -> [Int: KeptPartition]
    /// Writes entries, in this order: a later one of the same name replaces an earlier one, or removes it.
    ///
    /// - Parameters:
    ///   - entries: The entries, all of them committed.
    ///   - positions: Up to where the file is true with them, of these partitions; noted with them or not at all.
    ///   - age: How long ago it was known that nothing else stands before those offsets.
    /// - Throws: When the disk fails; then it is as before.
    func store(_ entries: [SpilledEntry], upTo positions: [Int: KeptPartition], age: Duration) async throws
    /// What is there of users: all of their entries but those that wait behind a parked turn, of which only the named ones
    /// are wanted.
    func load(_ users: [UserID], waiting: [UserID: [StateName]], partition: Int) async throws -> [SpilledEntry]
    /// A page of what is there of a partition, in order of users and names.
    func page(partition: Int, after entry: SpilledEntry?, limit: Int) async throws -> [SpilledEntry]
    /// Drops a partition.
    func drop(partition: Int) async throws
    /// Leaves it to the next lane of the name as it is.
    func close() async
    /// Leaves it to the next lane of the name as it is with these positions, once all of it is on the disk.
    func close(keeping positions: [Int: KeptPartition]) async throws
}

extension StateSpill {
    /// Writes entries, in this order.
    package func store(_ entries: [SpilledEntry]) async throws {
        try await self.store(entries, upTo: [:], age: .zero)
    }

    /// What is there of users but what waits behind a parked turn.
    package func load(_ users: [UserID], partition: Int) async throws -> [SpilledEntry] {
        try await self.load(users, waiting: [:], partition: partition)
    }
}

/// What is known of a partition whose state is in a lane's file.
package struct KeptPartition: Hashable, Sendable {
    /// Up to where the topic `state` is taken into account: the offset of the next record.
    package var position: Int64
    /// The digest of the partition's last turn (R41), as the topic has it there or later.
    package var chain: String

    /// Describes a partition.
    package init(position: Int64, chain: String) {
        self.position = position
        self.chain = chain
    }
}

/// An entry of a user's state in one partition.
package struct SpilledEntry: Hashable, Sendable {
    /// The partition.
    package var partition: Int
    /// The user's id.
    package var user: UserID
    /// The entry's name.
    package var name: StateName
    /// What it holds; nil removes it.
    package var value: [UInt8]?

    /// Describes an entry.
    package init(partition: Int, user: UserID, name: StateName, value: [UInt8]?) {
        self.partition = partition
        self.user = user
        self.name = name
        self.value = value
    }
}
