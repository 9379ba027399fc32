/// What is asked for, or posted, where to, and how long and how large the answer may be.
package struct HTTPRequest: Sendable {
    /// The address, `http` or `https`.
    package var address: String
    /// Headers by name.
    package var headers: [String: String]
    /// The body of a post; nil to get what is there.
    package var body: [UInt8]?
    /// Files for TLS.
    package var tls: TLSFiles
    /// How long it may take, waiting for a connection included.
    package var timeout: Duration
    /// The most bytes of the answer's body, and of its headers.
    package var maximumBytes: Int

    /// Makes a request: a post, or without a body a get.
    package init(
        _ body: [UInt8]?,
        to address: String,
        headers: [String: String] = [:],
        tls: TLSFiles = TLSFiles(),
        timeout: Duration,
        maximumBytes: Int
    ) {
        self.address = address
        self.headers = headers
        self.body = body
        self.tls = tls
        self.timeout = timeout
        self.maximumBytes = maximumBytes
    }
}
