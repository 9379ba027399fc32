import NIOCore

struct GroupMember: Sendable, Equatable {
    /// The id that the broker gave it.
    var id: Name
    /// The name that makes it a static member (KIP-345).
    var instanceID: Name?
    /// The name that the client gives itself.
    var clientID: String
    /// The address that it joined from.
    var clientHost: String
    /// The longest that it may be silent, in milliseconds.
    var sessionTimeout: Int64
    /// The longest that it may take to join a rebalance, in milliseconds.
    var rebalanceTimeout: Int64
    /// The assignment protocols that it knows, by preference, with its subscription.
    var protocols: [Offer]
    /// The assignment that the leader gave it in this generation.
    var assignment = ByteBuffer()
    /// The end of its session, on the monotonic clock.
    var expiry: Int64
    /// The JoinGroup that waits for the join phase to end.
    var pendingJoin: ReplyToken?
    /// The SyncGroup that waits for the leader's assignment.
    var pendingSync: ReplyToken?

    /// One assignment protocol of a member.
    struct Offer: Sendable, Equatable {
        var name: Name
        /// The member's subscription in it.
        var metadata: ByteBuffer

        /// The approximate number of bytes that it takes.
        var byteCount: Int { 64 + self.name.text.utf8.count + self.metadata.readableBytes }
    }

    func metadata(for name: Name) -> ByteBuffer {
        self.protocols.first { $0.name == name }?.metadata ?? ByteBuffer()
    }

    /// The approximate number of bytes that it takes.
    var byteCount: Int {
        self.protocols.reduce(256 + self.clientID.utf8.count + self.assignment.readableBytes) { $0 + $1.byteCount }
    }

    /// Whether the member waits for an answer and so cannot be expected to send heartbeats.
    var isWaiting: Bool { self.pendingJoin != nil || self.pendingSync != nil }
}
