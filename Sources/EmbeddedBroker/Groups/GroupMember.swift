import NIOCore

/// One member of a consumer group.
struct GroupMember: Sendable, Equatable {
    /// The id that the broker gave it.
    var id: Name
    /// The name that makes it a static member (KIP-345).
    var instanceID: Name?
    /// The name the client gives itself.
    var clientID: String
    /// The address it joined from.
    var clientHost: String
    /// How long it may be silent, in milliseconds.
    var sessionTimeout: Int64
    /// How long it may take to join a rebalance, in milliseconds.
    var rebalanceTimeout: Int64
    /// The assignment protocols it knows, by preference, with its subscription.
    var protocols: [Offer]
    /// What the leader gave it in this generation.
    var assignment = ByteBuffer()
    /// When it counts as dead, on the monotonic clock.
    var expiry: Int64
    /// The JoinGroup that waits for the join phase to end.
    var pendingJoin: ReplyToken?
    /// The SyncGroup that waits for the leader's assignment.
    var pendingSync: ReplyToken?

    /// One assignment protocol of a member.
    struct Offer: Sendable, Equatable {
        /// The protocol's name.
        var name: Name
        /// The member's subscription in it.
        var metadata: ByteBuffer

        /// About how many bytes it takes.
        var byteCount: Int { 64 + self.name.text.utf8.count + self.metadata.readableBytes }
    }

    /// The subscription in one protocol.
    func metadata(for name: Name) -> ByteBuffer {
        self.protocols.first { $0.name == name }?.metadata ?? ByteBuffer()
    }

    /// About how many bytes it takes.
    var byteCount: Int {
        self.protocols.reduce(256 + self.clientID.utf8.count + self.assignment.readableBytes) { $0 + $1.byteCount }
    }

    /// Whether the member waits for an answer, and so cannot be expected to send heartbeats.
    var isWaiting: Bool { self.pendingJoin != nil || self.pendingSync != nil }
}
