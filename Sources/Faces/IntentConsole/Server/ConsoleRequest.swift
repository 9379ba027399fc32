/// A browser's request.
package struct ConsoleRequest: Sendable {
    package enum Method: Sendable {
        /// Reads.
        case get
        /// Reads only the head.
        case head
        /// Changes something, or has something computed.
        case post
    }

    package var method: Method
    /// The parts of the path, decoded; none for `/`.
    package var path: [String]
    package var query: Fields
    /// The form that it sends.
    package var form: Fields
    /// The header `Host`.
    package var host: String?
    /// The header `Origin`.
    package var origin: String?
    /// The header `Sec-Fetch-Site`.
    package var fetchSite: String?
    /// The cookies, by name.
    package var cookies: [String: String]

    package init(
        _ method: Method = .get,
        _ path: [String] = [],
        query: Fields = Fields(),
        form: Fields = Fields(),
        host: String? = "127.0.0.1"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.form = form
        self.host = host
        self.cookies = [:]
    }

    /// The parts of a path; nil when it is invalid.
    static func path(_ text: some StringProtocol) -> [String]? {
        var parts: [String] = []
        for part in text.utf8.split(separator: UInt8(ascii: "/")) {
            guard let decoded = Fields.decoded(part) else { return nil }
            parts.append(decoded)
        }
        return parts
    }

    static func cookies(_ header: String) -> [String: String] {
        var cookies: [String: String] = [:]
        for part in header.split(separator: ";").prefix(32) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { continue }
            cookies[String(pair[0].trimmingPrefix { $0 == " " })] = String(pair[1])
        }
        return cookies
    }
}
