/// Who sent a request, and where its answer goes.
struct RequestContext: Sendable {
    /// Where the answer goes.
    var token: ReplyToken
    /// The request's version.
    var version: Int16
    /// The name the client gives itself.
    var clientID: String
    /// The client's address.
    var clientHost: String
}
