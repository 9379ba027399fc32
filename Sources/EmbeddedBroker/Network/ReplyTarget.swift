import NIOCore

/// Where and how an answer is sent.
struct ReplyTarget: Sendable {
    /// The connection.
    var channel: any Channel
    /// The request's header.
    var header: RequestHeader
}
