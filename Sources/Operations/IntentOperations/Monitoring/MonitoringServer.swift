internal import LocalHTTP
internal import Logging

/// Answers `GET /metrics`, `/livez` and `/readyz`, for Prometheus and for supervisors that restart processes.
enum MonitoringServer {
    /// A scraper and a probe need two connections, and none needs a body.
    static var limits: HTTPServer.Limits {
        var limits = HTTPServer.Limits()
        limits.methods = [.get, .head]
        limits.connections = 64
        limits.body = 0
        limits.answerSeconds = 10
        return limits
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: The address or host to listen on.
    ///   - port: The port; 0 for any free one.
    ///   - hosts: The names that are answered; others get 421.
    ///   - pages: The pages, by path.
    ///   - limits: The limits on clients.
    ///   - logger: Where it is logged that connections were closed for others.
    /// - Returns: The server, which already answers.
    /// - Throws: An `IOError` of the operating system when the address is in use.
    static func listen(
        host: String,
        port: Int,
        hosts: HostNames,
        pages: [String: @Sendable () async -> HTTPServerResponse],
        limits: HTTPServer.Limits = Self.limits,
        logger: Logger
    ) async throws -> HTTPServer {
        try await .listen(host: host, port: port, limits: limits, logger: logger) { request in
            // Browsers, which alone can be misled, always send a host; some load balancers' probes do not.
            guard request.host.map(hosts.contains) ?? true else {
                let text = "The host name is not accepted. Use the IP address, or add the name to monitoring.hosts.\n"
                return HTTPServerResponse(status: 421, text: text)
            }
            guard let page = pages["/" + request.path.joined(separator: "/")] else {
                let known = pages.keys.sorted().joined(separator: ", ")
                return HTTPServerResponse(status: 404, text: "Page not found. Pages: \(known).\n")
            }
            return await page()
        }
    }
}
