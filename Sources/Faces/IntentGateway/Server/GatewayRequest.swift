package import IntentKit
package import LocalHTTP
package import WireRules

/// A request to a route of the gateway.
package struct GatewayRequest: Sendable {
    /// The deepest nesting of a body: that of a client's event (R47).
    static let maximumDepth = 64
    /// The longest id and trace header in bytes (R47b).
    static let maximumIDBytes = 1_024
    /// The longest time for which `Prefer: wait` is honoured, in seconds.
    static let maximumWait = 60

    package let http: HTTPServerRequest
    private let variables: [String: String]
    /// The gateway's URL for this client, without a slash at the end: links begin with it.
    package let baseURL: String

    package init(_ http: HTTPServerRequest, variables: [String: String] = [:], baseURL: String) {
        self.http = http
        self.variables = variables
        self.baseURL = baseURL
    }

    /// The value of a variable of the route's path.
    package subscript(variable name: String) -> String { self.variables[name] ?? "" }

    // MARK: Bodies

    /// The body, as JSON of any kind.
    /// - Throws: ``GatewayError``, `invalidRequest`.
    package func json() throws(GatewayError) -> JSONValue {
        let type = self.http.headers["Content-Type"] ?? ""
        let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard essence == "application/json" || essence.hasSuffix("+json") else {
            throw GatewayError(.invalidRequest, "The header Content-Type must be application/json.")
        }
        do throws(JSONParsingError) {
            return try JSONValue(parsing: self.http.body, maximumDepth: Self.maximumDepth)
        } catch {
            throw GatewayError(.invalidRequest, "The body is not JSON: \(error)")
        }
    }

    /// The body, as an object of a rule; a request without a body is an empty object.
    ///
    /// Members that no rule names stay in it: the stages name them in `warnings` (R79).
    /// - Throws: ``GatewayError``, `invalidRequest`, that names the wrong member.
    package func object(_ rule: ObjectRule) throws(GatewayError) -> JSONObject {
        if self.http.body.isEmpty, rule.requiredMembers.isEmpty { return [:] }
        guard let object = try self.json().object else {
            throw GatewayError(.invalidRequest, "The body must be a JSON object.")
        }
        if let problem = rule.problem(in: object, .received) {
            let path = problem.path.map(ClientMember.shown).joined(separator: ".")
            throw GatewayError(.invalidRequest, "\(path) \(problem.text).")
        }
        return object
    }

    // MARK: Headers and queries

    /// The id in `Idempotency-Key`, bare or in quotes; nil when there is none.
    /// - Throws: ``GatewayError``, `invalidRequest`.
    package func idempotencyKey() throws(GatewayError) -> String? {
        let values = self.http.headers.all("Idempotency-Key")
        guard var key = values.first else { return nil }
        if key.count >= 2, key.hasPrefix("\""), key.hasSuffix("\"") { key = String(key.dropFirst().dropLast()) }
        guard values.count == 1, Self.isID(key) else {
            throw GatewayError(
                .invalidRequest,
                "The header Idempotency-Key must be one id of 1 to \(Self.maximumIDBytes) visible ASCII characters."
            )
        }
        return key
    }

    /// Whether a text can be an id in a header.
    static func isID(_ text: String) -> Bool {
        1...Self.maximumIDBytes ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// The seconds of `Prefer: wait=N` (RFC 7240), at most a minute; nil without it.
    package var wait: Int? {
        for value in self.http.headers.all("Prefer") {
            for preference in value.split(separator: ",") {
                let parts = preference.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
                guard parts.count == 2, parts[0].lowercased() == "wait", let seconds = Int(parts[1]), seconds > 0 else {
                    continue
                }
                return min(seconds, Self.maximumWait)
            }
        }
        return nil
    }

    /// A whole number of the query; nil when it is not there.
    /// - Throws: ``GatewayError``, `invalidRequest`.
    package func integer(_ name: String, in range: ClosedRange<Int64>) throws(GatewayError) -> Int64? {
        guard let text = self.http.query[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw GatewayError(
                .invalidRequest,
                "The query \(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// The client's trace context, which is copied to the events.
    package var tracing: [String: String] {
        var tracing: [String: String] = [:]
        for name in ["traceparent", "tracestate"] {
            if let value = self.http.headers[name], value.utf8.count <= Self.maximumIDBytes { tracing[name] = value }
        }
        return tracing
    }

    /// The language that the caller prefers, such as `de-DE`.
    package var locale: String {
        var best: (tag: String, quality: Double) = ("en-US", 0)
        for range in (self.http.headers["Accept-Language"] ?? "").split(separator: ",").prefix(16) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = parts.first, tag != "*", tag.utf8.count <= 35 else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if quality > best.quality { best = (tag, quality) }
        }
        return best.tag
    }
}
