import NIOCore

/// The address and the form of an answer.
struct ReplyTarget: Sendable {
    var channel: any Channel
    var header: RequestHeader
    var requestBytes: Int

    /// The largest ratio of an answer's size to its request's, for answers that list what the request named.
    private static let answerFactor = 4

    /// The largest size of an answer that lists what the request named; records are not listed.
    var answerBytes: Int { self.header.api == .produce ? 0 : self.requestBytes * Self.answerFactor }
}
