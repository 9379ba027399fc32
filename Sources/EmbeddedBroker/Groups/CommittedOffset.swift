/// What a group has committed for one partition.
struct CommittedOffset: Sendable, Equatable {
    /// The next offset to read.
    var offset: Int64
    /// The leader epoch the client gave, or -1.
    var leaderEpoch: Int32
    /// What the client wanted to keep with it.
    var metadata: String?
    /// The wall-clock time of the commit.
    var committedAt: Int64

    /// About how many bytes it takes.
    var byteCount: Int { 96 + (self.metadata?.utf8.count ?? 0) }
}
