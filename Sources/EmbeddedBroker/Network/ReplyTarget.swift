import NIOCore

/// Where and how an answer is sent.
struct ReplyTarget: Sendable {
    /// The connection.
    var channel: any Channel
    /// The request's header.
    var header: RequestHeader
    /// How large the request was.
    var requestBytes: Int

    /// How much larger than its request an answer may be that is as long as what was asked for.
    private static let answerFactor = 4

    /// The most that an answer takes for listing what was asked for; records are not listed.
    var answerBytes: Int { self.header.api == .produce ? 0 : self.requestBytes * Self.answerFactor }
}
