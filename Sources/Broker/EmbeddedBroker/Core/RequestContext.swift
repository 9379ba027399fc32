/// The sender of a request, and the address of its answer.
struct RequestContext: Sendable {
    /// The address of the answer.
    var token: ReplyToken
    var version: Int16
    /// The name that the client gives itself.
    var clientID: String
    var clientHost: String
}

/// Identifies one request that waits for its response.
struct ReplyToken: Sendable, Hashable {
    var connection: UInt64
    /// The request's number among the connection's requests, in the order of arrival.
    var sequence: UInt64
}
