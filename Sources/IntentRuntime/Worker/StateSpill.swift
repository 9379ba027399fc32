package import IntentEvents

/// Where the state of users goes who have not been heard of for a while, so that a worker's memory does not grow with
/// the number of open interactions.
///
/// It holds copies of what the topic `state` holds; nothing of it need survive. What a lane keeps when it leaves in order
/// saves the next lane of its name from reading all of the topic. Used by one lane at a time; none of the calls blocks the
/// caller's thread.
package protocol StateSpill: Sendable {
    /// What the last lane kept, by partition; of other partitions there is nothing.
    var kept: [Int: KeptPartition] { get }
    /// Puts entries away, in this order: a later one of the same name replaces an earlier one, or removes it.
    func store(_ entries: [SpilledEntry]) async throws
    /// Takes users back, with all of their entries; those that were not put away are missing from the result.
    func take(_ users: [UserID], partition: Int) async throws -> [SpilledEntry]
    /// A page of what is put away of a partition, in order of users and names.
    func page(partition: Int, after entry: SpilledEntry?, limit: Int) async throws -> [SpilledEntry]
    /// Forgets a partition.
    func drop(partition: Int) async throws
    /// Gives up what it holds.
    func close() async
    /// Keeps what it holds, all of these partitions' state, for the next lane of the name.
    func close(keeping partitions: [Int: KeptPartition]) async throws
}

/// What is known of a partition whose state was kept when its lane left.
package struct KeptPartition: Hashable, Sendable {
    /// Up to where the topic `state` is taken into account: the offset of the next record.
    package var position: Int64
    /// The digest of the partition's last turn (R41).
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
