/// Identifies one request that waits for its response.
struct ReplyToken: Sendable, Hashable {
    var connection: UInt64
    /// The request's number among the connection's requests, in the order of arrival.
    var sequence: UInt64
}
