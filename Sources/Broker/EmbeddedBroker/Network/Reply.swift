/// A reply that the broker's thread hands to a connection.
struct Reply: Sendable {
    /// The number of the request that is answered, among the connection's requests.
    var sequence: UInt64
    /// The answer; nil sends nothing (`acks=0`).
    var response: ResponseEnvelope?
    /// Its share of the memory for responses, until it has been sent.
    var lease: ResponseLease?
}
