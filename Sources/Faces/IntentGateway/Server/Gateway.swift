internal import CoreMetrics
package import LocalHTTP
internal import Telemetry

/// Answers the requests of the gateway's clients: finds the route, the caller and the limits, and calls the route.
package final class Gateway: Sendable {
    /// The longest stream in seconds; its client continues it, on any replica.
    static let longestStream: Int64 = 3_600

    private let table: RouteTable
    private let authenticator: Authenticator
    private let limits: RequestLimits
    private let crossOrigin: CrossOrigin
    /// The configured URL; nil for that of the request's host.
    private let publicURL: String?
    /// The names by which the gateway may be addressed; nil for any, where a token is needed anyway.
    private let hosts: HostNames?
    private let metrics: GatewayMetrics

    /// Makes a gateway of its routes.
    ///
    /// - Parameters:
    ///   - settings: Its settings.
    ///   - routes: All routes of all its doors.
    ///   - authenticator: Finds out who calls.
    ///   - host: The host that it listens on.
    ///   - metrics: Where its requests are counted.
    package init(
        _ settings: GatewaySettings,
        routes: [GatewayRoute],
        authenticator: Authenticator,
        host: String,
        metrics: GatewayMetrics
    ) {
        self.table = RouteTable(routes)
        self.authenticator = authenticator
        self.limits = RequestLimits(settings.limits, clock: ContinuousClock())
        self.crossOrigin = CrossOrigin(settings.origins)
        self.publicURL = settings.publicURL
        self.hosts = authenticator.isForDevelopment ? HostNames(listeningOn: host, includesAddresses: false) : nil
        self.metrics = metrics
    }

    /// Answers a request.
    package func respond(to http: HTTPServerRequest) async -> HTTPServerResponse {
        let began = ContinuousClock.now
        var route: GatewayRoute?
        self.metrics.begin()
        var response: HTTPServerResponse
        do throws(GatewayError) {
            response = try await self.answer(http, &route)
        } catch {
            response = self.response(to: error, http)
        }
        self.crossOrigin.add(to: &response, for: http)
        self.metrics.answered(http.method, route?.path, response.status, in: .now - began)
        // A stream is a request in progress until it ends.
        if case .events(let send) = response.body {
            let lease = GatewayMetrics.Lease(self.metrics)
            response.body = .events { writer in
                try await send(writer)
                withExtendedLifetime(lease) {}
            }
        } else {
            self.metrics.end()
        }
        return response
    }

    private func answer(
        _ http: HTTPServerRequest,
        _ found: inout GatewayRoute?
    ) async throws(GatewayError) -> HTTPServerResponse {
        if let hosts = self.hosts, !(http.host.map(hosts.contains) ?? false) {
            throw GatewayError(.misdirected, "Without keys the gateway is addressed by localhost or 127.0.0.1 only.")
        }
        guard let (resource, variables) = self.table.resource(at: http.path) else {
            throw GatewayError(.notFound, "There is no such resource; GET /v1/openapi.json describes all.")
        }
        let methods = resource.methods.map(\.rawValue).joined(separator: ", ")
        if http.method == .options, resource.routes[.options] == nil {
            return self.crossOrigin.options(methods: methods)
        }
        guard let route = resource.routes[http.method] ?? (http.method == .head ? resource.routes[.get] : nil) else {
            found = resource.routes.values.first.map { GatewayRoute($0.method, $0.path, $0.action) }
            throw GatewayError(.methodNotAllowed, "The resource answers \(methods).")
        }
        found = route
        let request = GatewayRequest(http, variables: variables, baseURL: self.baseURL(for: http))
        switch route.action {
        case .open(let answer): return try await answer(request)
        case .authorized(let scope, let answer):
            let caller = try await self.caller(of: http)
            if let scope, !caller.scopes.contains(scope) {
                throw GatewayError(.forbidden, "The token lacks the scope \(scope.rawValue).")
            }
            let lease = try self.admit(caller)
            var response = try await answer(request, caller)
            if case .events(let send) = response.body {
                // The stream ends with the token, if not before.
                let left = caller.expiresAt.map(self.authenticator.secondsUntil) ?? Self.longestStream
                response.maximumSeconds = min(left, Self.longestStream)
                response.body = .events { writer in
                    try await send(writer)
                    withExtendedLifetime(lease) {}
                }
            }
            withExtendedLifetime(lease) {}
            return response
        }
    }

    private func caller(of http: HTTPServerRequest) async throws(GatewayError) -> Caller {
        if self.authenticator.isForDevelopment, !self.crossOrigin.isOwn(http) {
            throw GatewayError(.forbidden, "Pages of other origins must be listed in gateway.origins.")
        }
        do throws(TokenRefusal) {
            return try await self.authenticator.caller(of: http)
        } catch {
            self.metrics.refused(error.reason)
            throw error.error
        }
    }

    private func admit(_ caller: Caller) throws(GatewayError) -> RequestLimits.Lease {
        do throws(RequestLimits.Exceeded) {
            return try self.limits.admit(user: caller.userID, client: caller.clientID)
        } catch {
            self.metrics.limited(error.limit)
            throw GatewayError(.tooManyRequests, error.description, retryAfter: error.retryAfter)
        }
    }

    /// The response to an error, with the challenge that tells a client how to get a token (RFC 6750, RFC 9728).
    private func response(to error: GatewayError, _ http: HTTPServerRequest) -> HTTPServerResponse {
        var response = HTTPServerResponse(error)
        guard error.code == .unauthorized || error.code == .forbidden else {
            if error.code == .methodNotAllowed, let methods = self.table.resource(at: http.path)?.resource.methods {
                let names = methods.map(\.rawValue).joined(separator: ", ")
                response.headers.append((name: "Allow", value: names))
            }
            return response
        }
        var challenge = "Bearer "
        if error.code == .forbidden {
            challenge += #"error="insufficient_scope", "#
        } else if http.headers["Authorization"] != nil {
            challenge += #"error="invalid_token", error_description="\#(error.detail)", "#
        }
        challenge += #"resource_metadata="\#(self.baseURL(for: http))/.well-known/oauth-protected-resource""#
        response.headers.append((name: "WWW-Authenticate", value: challenge))
        return response
    }

    private func baseURL(for http: HTTPServerRequest) -> String {
        if let publicURL = self.publicURL { return publicURL }
        let host = http.host ?? "localhost"
        let isHost =
            host.utf8.count <= 261
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:[]_".contains($0)) }
        return "http://\(isHost ? host : "localhost")"
    }
}
