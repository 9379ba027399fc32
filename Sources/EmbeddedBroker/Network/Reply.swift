/// What the broker's thread hands to a connection.
struct Reply: Sendable {
    /// Which of the connection's requests is answered.
    var sequence: UInt64
    /// The answer; nil sends nothing (`acks=0`).
    var response: ResponseEnvelope?
    /// What the answer takes of the memory for responses, until it has been sent.
    var lease: ResponseLease?
}
