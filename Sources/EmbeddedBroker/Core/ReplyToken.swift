/// Names one request that waits for its response.
struct ReplyToken: Sendable, Hashable {
    /// Which connection it came on.
    var connection: UInt64
    /// Which of the connection's requests it is, in the order of arrival.
    var sequence: UInt64
}
