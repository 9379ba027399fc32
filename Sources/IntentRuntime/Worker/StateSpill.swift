/// Where the state of users goes who have not been heard of for a while, so that a worker's memory does not grow with
/// the number of open interactions.
///
/// It holds copies of what the topic `state` holds, for as long as one lane has its partitions; nothing of it need
/// survive. Used by one lane at a time; none of the calls blocks the caller's thread.
package protocol StateSpill: Sendable {
    /// Puts users away.
    func store(_ states: [SpilledState]) async throws
    /// Takes users back; those that were not put away are missing from the result.
    func take(_ users: [String], partition: Int) async throws -> [SpilledState]
    /// A page of the users that are put away, in order.
    func page(partition: Int, after user: String?, limit: Int) async throws -> [SpilledState]
    /// Forgets a partition.
    func drop(partition: Int) async throws
    /// Gives up what it holds.
    func close() async
}

/// One user's state in one partition, packed.
package struct SpilledState: Hashable, Sendable {
    /// The partition.
    package var partition: Int
    /// The user's id.
    package var user: String
    /// The user's entries, as ``StateTable`` packs them.
    package var entries: [UInt8]

    /// Packs up a user.
    package init(partition: Int, user: String, entries: [UInt8]) {
        self.partition = partition
        self.user = user
        self.entries = entries
    }
}
