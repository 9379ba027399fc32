/// The offset that a group has committed for one partition.
struct CommittedOffset: Sendable, Equatable {
    /// The next offset to read.
    var offset: Int64
    /// The leader epoch that the client gave, or -1.
    var leaderEpoch: Int32
    /// The client's own metadata.
    var metadata: String?
    /// The wall-clock time of the commit.
    var committedAt: Int64

    /// The approximate number of bytes that it takes.
    var byteCount: Int { 96 + (self.metadata?.utf8.count ?? 0) }
}
