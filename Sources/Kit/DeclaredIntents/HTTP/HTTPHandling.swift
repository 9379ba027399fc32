/// The endpoint of an intent that is handled by HTTP, and the meaning of its answers (R51).
struct HTTPHandling: Hashable, Sendable {
    var endpoint: HTTPEndpoint
    /// Response codes by status: `404`, or `4xx` for a whole class.
    var codes: [String: String]

    /// The codes that an answer may mean without being declared; others begin with `failure`.
    static let knownCodes: Set<String> = ["success", "inProgress", "continueInApp", "failure"]

    /// The response code for a status; nil for one that may pass: the post is tried again (R35).
    func code(of status: Int) -> String? {
        if let code = self.codes["\(status)"] ?? self.codes["\(status / 100)xx"] { return code }
        if HTTPEndpoint.mayPass(status) { return nil }
        return (200..<300).contains(status) ? "success" : "failure"
    }
}
