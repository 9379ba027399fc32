/// A request that an ``HTTPServer`` has received, parsed.
package struct HTTPServerRequest: Sendable {
    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    package var method: Method
    /// The parts of the path, decoded; none for `/`.
    package var path: [String]
    package var query: Fields
    /// The form that it sends; empty when its body is of another media type.
    package var form: Fields
    /// The body as it was sent.
    package var body: [UInt8] = []
    package var headers: HTTPServerHeaders
    /// The header `Host`.
    package var host: String?
    /// The header `Origin`.
    package var origin: String?
    /// The header `Sec-Fetch-Site`.
    package var fetchSite: String?
    /// The cookies, by name.
    package var cookies: [String: String]
    /// The address of the client, or of the proxy that it comes through; nil when it is not known.
    package var remoteAddress: String?

    package init(
        _ method: Method = .get,
        _ path: [String] = [],
        query: Fields = Fields(),
        form: Fields = Fields(),
        headers: HTTPServerHeaders = HTTPServerHeaders(),
        host: String? = "127.0.0.1"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.form = form
        self.headers = headers
        self.host = host
        self.cookies = [:]
    }

    /// Whether a body of that media type is a form: browsers name it so, and some clients name nothing.
    static func isForm(_ mediaType: String?) -> Bool {
        mediaType.map { $0.prefix { $0 != ";" }.lowercased().hasPrefix("application/x-www-form-urlencoded") } ?? true
    }

    /// The parts of a path; nil when it is invalid.
    package static func path(_ text: some StringProtocol) -> [String]? {
        var parts: [String] = []
        for part in text.utf8.split(separator: UInt8(ascii: "/")) {
            guard let decoded = Fields.decoded(part, readsPlus: false) else { return nil }
            parts.append(decoded)
        }
        return parts
    }

    package static func cookies(_ header: String) -> [String: String] {
        var cookies: [String: String] = [:]
        for part in header.split(separator: ";").prefix(32) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { continue }
            cookies[String(pair[0].trimmingPrefix { $0 == " " })] = String(pair[1])
        }
        return cookies
    }
}
