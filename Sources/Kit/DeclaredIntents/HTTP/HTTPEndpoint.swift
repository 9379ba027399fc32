import Foundation

/// The endpoint to which intentd posts, with its credentials and its time-out (R51).
struct HTTPEndpoint: Hashable, Sendable {
    /// The longest that an attempt may take unless the definition says otherwise.
    static let defaultTimeout = Duration.seconds(10)
    /// The largest size of an answer's body, in bytes.
    static let maximumAnswerBytes = 256 * 1024
    /// The depth to which an answer's body may nest arrays and objects: as deep as clients' events (R47).
    ///
    /// intentd writes the body inside objects of its own, which must be readable again.
    static let maximumAnswerDepth = 64

    /// The address, `http` or `https`.
    var url: String
    /// Headers to send, by name.
    var headers: [String: HTTPHeaderValue]
    /// The certificates by which the service and intentd authenticate each other; nil trusts what the system trusts,
    /// and sends no certificate.
    var tls: HTTPTLS?
    /// The longest that one attempt may take.
    var timeout: Duration
    /// The largest number of attempts; nil for as many as the runtime makes (R35).
    var attempts: Int?
    /// How `handle` is tried again; nil for the default.
    var retry: HTTPRetry?
    /// The path in the definition.
    var path: JSONPath

    /// The address as it is sent over the network: invalid characters are escaped, host names are converted by IDNA.
    var address: String { URL(string: self.url)?.absoluteString ?? self.url }

    /// The part of the address that people may see: without the query, which may contain a secret.
    var displayURL: String {
        var parts = URLComponents(string: self.url)
        parts?.query = nil
        parts?.fragment = nil
        return parts?.string ?? "the service"
    }

    /// The endpoint for calls that keep the default retry policy: all but `handle`.
    var withoutRetry: HTTPEndpoint {
        var endpoint = self
        endpoint.retry = nil
        return endpoint
    }

    /// The endpoint at a path below the address.
    func below(_ name: String) -> HTTPEndpoint {
        var endpoint = self
        var parts = URLComponents(string: self.url)
        let path = parts?.percentEncodedPath ?? ""
        parts?.percentEncodedPath = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
        endpoint.url = parts?.string ?? self.url
        return endpoint
    }

    /// The endpoint at another address: credentials are kept only for the same origin.
    func moved(to url: String) -> HTTPEndpoint {
        var endpoint = self
        endpoint.url = url
        let (old, new) = (URLComponents(string: self.url), URLComponents(string: url))
        if old?.scheme != new?.scheme || old?.host != new?.host || old?.port != new?.port {
            endpoint.headers = self.headers.filter { name, value in
                value.source == .literal && !Self.credentialNames.contains(name.lowercased())
            }
        }
        if new?.scheme == "http" { endpoint.tls = nil }
        return endpoint
    }

    /// What is wrong with an address; nil when it can be posted to.
    static func problem(inAddress url: String) -> String? {
        let parts = URLComponents(string: url)
        if parts?.scheme != "http" && parts?.scheme != "https" || (parts?.host ?? "").isEmpty || URL(string: url) == nil
        {
            return "this is not an address that starts with http:// or https://"
        }
        guard parts?.user == nil, parts?.password == nil else {
            return "the address names a user: put credentials into headers, from env or file"
        }
        return nil
    }

    /// Whether a status may pass, so that the post is tried again (R35).
    static func mayPass(_ status: Int) -> Bool { [408, 425, 429, 500, 502, 503, 504].contains(status) }

    /// Headers whose names show that they carry credentials.
    private static let credentialNames = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "x-auth-token",
    ]

    /// What is unwise: secrets that everybody on the way can read, certificates that no client accepts any more.
    var warnings: [String] { self.unencryptedCredentials + (self.tls?.warnings ?? []) }

    private var unencryptedCredentials: [String] {
        guard URLComponents(string: self.url)?.scheme?.lowercased() == "http" else { return [] }
        let names = self.headers
            .filter { name, value in
                Self.credentialNames.contains(name.lowercased()) || value.source != .literal
            }
            .keys.sorted()
        guard !names.isEmpty else { return [] }
        return [
            "\(self.displayURL) is not encrypted, but the header\(names.count == 1 ? "" : "s") "
                + "\(names.joined(separator: ", ")) carr\(names.count == 1 ? "ies" : "y") credentials: anybody on the network path can read them. Use https://"
        ]
    }

    /// What is missing for posting: header values and certificates that are not where the definition says.
    var problems: [DefinitionProblem] {
        let headers = self.headers.sorted { $0.key < $1.key }
            .compactMap { name, value -> DefinitionProblem? in
                guard let problem = value.problem else { return nil }
                let path = self.path.appending("headers").appending(name)
                return DefinitionProblem(path: path, message: "header \(name) \(problem)")
            }
        return headers + (self.tls?.problems ?? [])
    }
}
