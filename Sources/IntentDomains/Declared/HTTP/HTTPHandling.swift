import Foundation
import IntentKit

/// Where an intent that is handled by HTTP is posted to, and what the answers mean (R51).
struct HTTPHandling: Hashable, Sendable {
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
    /// Response codes by status: `404`, or `4xx` for all that begin alike.
    var codes: [String: String]
    /// Where it is said.
    var path: JSONPath

    /// The codes that an answer may mean without being declared; others begin with `failure`.
    static let knownCodes: Set<String> = ["success", "inProgress", "continueInApp", "failure"]

    /// The address as it goes over the network: what an address may not hold is escaped, names are IDNA's.
    var address: String { URL(string: self.url)?.absoluteString ?? self.url }

    /// What people may see of the address: no query, which may hold a secret.
    var place: String {
        var parts = URLComponents(string: self.url)
        parts?.query = nil
        parts?.fragment = nil
        return parts?.string ?? "the service"
    }

    /// The response code that a status means; nil for one that may pass: the post is tried again (R35).
    func code(of status: Int) -> String? {
        if let code = self.codes["\(status)"] ?? self.codes["\(status / 100)xx"] { return code }
        switch status {
        case 200..<300: return "success"
        case 408, 425, 429, 500, 502, 503, 504: return nil
        default: return "failure"
        }
    }

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
