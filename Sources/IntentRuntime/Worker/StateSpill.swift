/// Where the state of users goes who have not been heard of for a while, so that a worker's memory does not grow with
/// the number of open interactions.
///
/// It holds copies of what the topic `state` holds, for as long as one lane has its partitions; nothing of it need
/// survive. Used by one lane at a time; none of the calls blocks the caller's thread.
package protocol StateSpill: Sendable {
    /// Puts entries away, in this order: a later one of the same name replaces an earlier one, or removes it.
    func store(_ entries: [SpilledEntry]) async throws
    /// Takes users back, with all of their entries; those that were not put away are missing from the result.
    func take(_ users: [String], partition: Int) async throws -> [SpilledEntry]
    /// A page of what is put away of a partition, in order of users and names.
    func page(partition: Int, after entry: SpilledEntry?, limit: Int) async throws -> [SpilledEntry]
    /// Forgets a partition.
    func drop(partition: Int) async throws
    /// Gives up what it holds.
    func close() async
}

/// An entry of a user's state in one partition.
package struct SpilledEntry: Hashable, Sendable {
    /// The partition.
    package var partition: Int
    /// The user's id.
    package var user: String
    /// The entry's name.
    package var name: String
    /// What it holds; nil removes it.
    package var value: [UInt8]?

    /// Describes an entry.
    package init(partition: Int, user: String, name: String, value: [UInt8]?) {
        self.partition = partition
        self.user = user
        self.name = name
        self.value = value
    }
}
