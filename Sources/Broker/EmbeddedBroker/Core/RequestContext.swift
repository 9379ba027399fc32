/// The sender of a request, and the address of its answer.
struct RequestContext: Sendable {
    /// The address of the answer.
    var token: ReplyToken
    var version: Int16
    /// The name that the client gives itself.
    var clientID: String
    var clientHost: String
}
