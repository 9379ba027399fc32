import NIOCore

/// A reply that the broker's thread hands to a connection.
struct Reply: Sendable {
    /// The number of the request that is answered, among the connection's requests.
    var sequence: UInt64
    /// The answer; nil sends nothing (`acks=0`).
    var response: ResponseEnvelope?
    /// Its share of the memory for responses, until it has been sent.
    var lease: ResponseLease?
}

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
