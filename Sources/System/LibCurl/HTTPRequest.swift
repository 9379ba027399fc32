/// A request to get or post something, with limits on the time and size of the answer.
///
/// A post is sent at most once, even if its connection breaks; a get may be sent again.
package struct HTTPRequest: Sendable {
    /// The address, `http` or `https`.
    package var address: String
    package var headers: [String: String]
    /// The body of a post; nil for a get.
    package var body: [UInt8]?
    package var tls: TLSFiles
    /// Whether a connection is made for it.
    ///
    /// One that was kept open may be closed by the service at the very moment at which the request is sent.
    package var needsNewConnection: Bool
    /// The time-out, including the wait for a connection.
    package var timeout: Duration
    /// The largest size of the answer's body, and of its headers, in bytes.
    package var maximumBytes: Int

    /// Creates a request: a post, or without a body a get.
    package init(
        _ body: [UInt8]?,
        to address: String,
        headers: [String: String] = [:],
        tls: TLSFiles = TLSFiles(),
        needsNewConnection: Bool = false,
        timeout: Duration,
        maximumBytes: Int
    ) {
        self.address = address
        self.headers = headers
        self.body = body
        self.tls = tls
        self.needsNewConnection = needsNewConnection
        self.timeout = timeout
        self.maximumBytes = maximumBytes
    }
}
