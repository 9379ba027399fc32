import Foundation
import IntentKit

/// Where intentd posts to, as who, and for how long it waits (R51).
struct HTTPEndpoint: Hashable, Sendable {
    /// How long a try may take unless the definition says otherwise.
    static let defaultTimeout = Duration.seconds(10)
    /// The most bytes of an answer's body.
    static let maximumAnswerBytes = 256 * 1024
    /// How deep an answer's body may nest arrays and objects, as deep as events of clients (R47).
    ///
    /// What intentd writes holds it inside of objects of its own, and has to be read again.
    static let maximumAnswerDepth = 64

    /// The address, `http` or `https`.
    var url: String
    /// Headers to send along, by name.
    var headers: [String: HTTPHeaderValue]
    /// How the service and intentd prove who they are; nil for what the system trusts, and no certificate.
    var tls: HTTPTLS?
    /// How long one try may take.
    var timeout: Duration
    /// How often it is tried at most; nil for as often as the runtime tries (R35).
    var attempts: Int?
    /// Where it is said.
    var path: JSONPath

    /// The address as it goes over the network: what an address may not hold is escaped, names are IDNA's.
    var address: String { URL(string: self.url)?.absoluteString ?? self.url }

    /// What people may see of the address: no query, which may hold a secret.
    var place: String {
        var parts = URLComponents(string: self.url)
        parts?.query = nil
        parts?.fragment = nil
        return parts?.string ?? "the service"
    }

    /// The same for what lies below the address.
    func below(_ name: String) -> HTTPEndpoint {
        var endpoint = self
        var parts = URLComponents(string: self.url)
        let path = parts?.percentEncodedPath ?? ""
        parts?.percentEncodedPath = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
        endpoint.url = parts?.string ?? self.url
        return endpoint
    }

    /// The same at another address: credentials go along to the same place alone.
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
            return "\(url) is not an address that starts with http:// or https://"
        }
        guard parts?.user == nil, parts?.password == nil else {
            return "the address names a user: put credentials into headers, from env or file"
        }
        return nil
    }

    /// Whether a status is one for something that may pass: the post is tried again (R35).
    static func mayPass(_ status: Int) -> Bool { [408, 425, 429, 500, 502, 503, 504].contains(status) }

    /// Headers that by their names carry credentials.
    private static let credentialNames = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "x-auth-token",
    ]

    /// What is unwise: secrets that everybody on the way can read, certificates that nobody accepts any more.
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
            "\(self.place) is not encrypted, but the header\(names.count == 1 ? "" : "s") \(names.joined(separator: ", ")) "
                + "carr\(names.count == 1 ? "ies" : "y") credentials: everybody on the way can read them. Use https://"
        ]
    }

    /// What is missing to post: headers whose values, and certificates that are not where the definition says.
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
