package import IntentEvents

/// A lane's own copy of its partitions' state, in a file.
///
/// Users without room in memory are evicted to it, and the next lane of that name reads only what came since.
///
/// It holds copies of the topic `state`; nothing of it need survive. However its process ended, it names the offset up
/// to which it is valid: each entry of a partition with a position is as the topic has it at that offset or at a later
/// one. So a lane that reads the topic from there, and replaces each entry that it reads, has the state. One lane uses
/// it at a time; no call blocks the caller's thread.
package protocol StateSpill: Sendable {
    /// The offsets up to which the file is valid now, by partition; entries of other partitions are worthless.
    func positions() async throws -> [Int: KeptPartition]
    /// Writes entries, in this order: a later one of the same name replaces an earlier one, or removes it.
    ///
    /// - Parameters:
    ///   - entries: The entries, all of them committed.
    ///   - positions: The offsets up to which the file is then valid, for these partitions; stored with the entries or
    ///     not at all.
    ///   - age: How long ago those offsets were queried.
    /// - Throws: When the disk fails; then it is unchanged.
    func store(_ entries: [SpilledEntry], upTo positions: [Int: KeptPartition], age: Duration) async throws
    /// The entries of users: all but queued events, of which only the named ones are returned.
    func load(_ users: [UserID], waiting: [UserID: [StateName]], partition: Int) async throws -> [SpilledEntry]
    /// A page of a partition's entries, in order of users and names.
    func page(partition: Int, after entry: SpilledEntry?, limit: Int) async throws -> [SpilledEntry]
    func drop(partition: Int) async throws
    /// Leaves it to the next lane of the name as it is.
    func close() async
    /// Leaves it to the next lane of the name with these positions, once all of it is on the disk.
    func close(keeping positions: [Int: KeptPartition]) async throws
}

extension StateSpill {
    /// Writes entries, in this order.
    package func store(_ entries: [SpilledEntry]) async throws { try await self.store(entries, upTo: [:], age: .zero) }
}

/// A partition whose state is in a lane's file.
package struct KeptPartition: Hashable, Sendable {
    /// The offset up to which the file includes the topic `state`: that of the next record.
    package var position: Int64
    /// The digest of the partition's last turn (R41), as the topic has it there or later.
    package var chain: String
    /// The offsets that the chain head names, there or later; nil when it names none.
    package var read: ReadOffsets?

    package init(position: Int64, chain: String, read: ReadOffsets? = nil) {
        self.position = position
        self.chain = chain
        self.read = read
    }
}

/// An entry of a user's state in one partition.
package struct SpilledEntry: Hashable, Sendable {
    package var partition: Int
    package var user: UserID
    package var name: StateName
    /// Its value; nil removes it.
    package var value: [UInt8]?

    package init(partition: Int, user: UserID, name: StateName, value: [UInt8]?) {
        self.partition = partition
        self.user = user
        self.name = name
        self.value = value
    }
}
