internal import LocalHTTP

/// Which web pages of other origins may call the gateway from browsers (CORS).
package struct CrossOrigin: Sendable {
    private static let requestHeaders = [
        "Accept-Language", "Authorization", "Content-Type", "Idempotency-Key", "Intentd-User", "Last-Event-ID",
        "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Mcp-Session-Id", "Prefer", "traceparent", "tracestate",
    ]
    private static let responseHeaders = [
        "Allow", "Location", "Mcp-Session-Id", "Preference-Applied", "Retry-After", "WWW-Authenticate",
    ]

    private let origins: Set<String>

    /// Allows the pages of these origins.
    package init(_ origins: [String]) {
        self.origins = Set(
            origins.map { $0.lowercased().hasSuffix("/") ? String($0.lowercased().dropLast()) : $0.lowercased() }
        )
    }

    private func isListed(_ origin: String) -> Bool { self.origins.contains(origin.lowercased()) }

    /// Whether a request comes from no browser, from a page of the gateway itself, or from one that is allowed.
    ///
    /// Without tokens a browser on this machine would otherwise carry out what any page asks for.
    func isOwn(_ request: HTTPServerRequest) -> Bool {
        if let origin = request.origin {
            let authority = origin.split(separator: "/", maxSplits: 2).last.map(String.init)
            return self.isListed(origin) || authority?.lowercased() == request.host?.lowercased()
        }
        return request.fetchSite.map { ["same-origin", "none"].contains($0) } ?? true
    }

    /// Lets the page of the request read the response.
    func add(to response: inout HTTPServerResponse, for request: HTTPServerRequest) {
        guard !self.origins.isEmpty else { return }
        response.headers.append((name: "Vary", value: "Origin"))
        guard let origin = request.origin, self.isListed(origin) else { return }
        response.headers.append((name: "Access-Control-Allow-Origin", value: origin))
        let exposed = Self.responseHeaders.joined(separator: ", ")
        response.headers.append((name: "Access-Control-Expose-Headers", value: exposed))
        guard request.method == .options else { return }
        let allowed = response.headers.first { $0.name == "Allow" }?.value ?? ""
        response.headers += [
            (name: "Access-Control-Allow-Methods", value: allowed),
            (name: "Access-Control-Allow-Headers", value: Self.requestHeaders.joined(separator: ", ")),
            (name: "Access-Control-Max-Age", value: "600"),
        ]
    }

    /// The response to OPTIONS, a browser's preflight or not.
    func options(methods: String) -> HTTPServerResponse {
        var response = HTTPServerResponse(status: 204, type: "", text: "")
        response.headers.append((name: "Allow", value: methods))
        return response
    }
}
