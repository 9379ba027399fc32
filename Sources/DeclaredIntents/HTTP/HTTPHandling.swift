/// Where an intent that is handled by HTTP is posted to, and what the answers mean (R51).
struct HTTPHandling: Hashable, Sendable {
    /// Where it is posted to.
    var endpoint: HTTPEndpoint
    /// Response codes by status: `404`, or `4xx` for all that begin alike.
    var codes: [String: String]

    /// The codes that an answer may mean without being declared; others begin with `failure`.
    static let knownCodes: Set<String> = ["success", "inProgress", "continueInApp", "failure"]

    /// The response code that a status means; nil for one that may pass: the post is tried again (R35).
    func code(of status: Int) -> String? {
        if let code = self.codes["\(status)"] ?? self.codes["\(status / 100)xx"] { return code }
        if HTTPEndpoint.mayPass(status) { return nil }
        return (200..<300).contains(status) ? "success" : "failure"
    }
}
