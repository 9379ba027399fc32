import IntentEvents
import IntentKit
import IntentOperations
import LocalHTTP
import Synchronization
import WireRules

@testable import IntentGateway

/// A gateway over the desk of a replica, called without a socket.
///
/// Every response is held against the description that the OpenAPI document has of its route.
final class ServedGateway: Sendable {
    struct Answer {
        var status: Int
        var json: JSONValue
        var headers: [String: String]
    }

    struct Mismatch: Error {
        var route: String
        var problem: String
    }

    let gateway: Gateway
    private let routes: [GatewayRoute]
    private let document: JSONValue
    /// The routes that have succeeded.
    private let succeeded = Mutex<Set<String>>([])

    init(_ replicas: Replicas, registry: IntentRegistry, user: UserID = "ada") {
        let confirming = ConfirmingRule(registry: registry, publicURL: "http://127.0.0.1")
        let doors =
            InteractionRoutes(replicas.desk, confirming: confirming, drain: Drain()).all
            + EventRoutes(replicas.desk).all + IntentRoutes(registry).all
        let documents = DocumentRoutes(describing: doors, version: "1.0")
        self.routes = doors + documents.all
        self.document = GatewayDocument(doors + documents.all, version: "1.0").json
        var settings = GatewaySettings(Configuration())
        settings.limits.user = RequestLimits.Rate(perSecond: 10_000, concurrent: 100)
        settings.limits.client = settings.limits.user
        self.gateway = Gateway(
            settings,
            routes: self.routes,
            authenticator: Authenticator(developmentUser: user),
            host: "127.0.0.1",
            metrics: GatewayMetrics(nil)
        )
    }

    /// The described routes that no call has succeeded on.
    var uncalled: [String] {
        let succeeded = self.succeeded.withLock(\.self)
        return self.routes.filter { $0.operation != nil }.map(Self.name).filter { !succeeded.contains($0) }
    }

    /// Calls a path, and checks the response.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path with its query.
    ///   - body: The body; nil for none.
    ///   - headers: Headers besides that of the body's type.
    /// - Returns: The response; for a stream of events an empty text.
    /// - Throws: ``Mismatch`` when the OpenAPI document describes no such response.
    @discardableResult
    func call(
        _ method: HTTPServerRequest.Method,
        _ target: String,
        _ body: JSONValue? = nil,
        headers: [(name: String, value: String)] = []
    ) async throws -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1)
        let type = body.map { _ in [(name: "Content-Type", value: "application/json")] } ?? []
        var request = HTTPServerRequest(
            method,
            HTTPServerRequest.path(parts[0]) ?? [],
            query: Fields(parsing: parts.count > 1 ? String(parts[1]) : ""),
            headers: HTTPServerHeaders(headers + type)
        )
        request.body = Array((body?.description ?? "").utf8)
        let response = await self.gateway.respond(to: request)
        let json = try response.text.map { try JSONValue(parsing: Array($0.utf8)) }
        if let route = self.route(method, request.path) {
            if let problem = self.problem(route, response, json) {
                throw Mismatch(route: Self.name(route), problem: problem)
            }
            if response.status < 300 { self.succeeded.withLock { _ = $0.insert(Self.name(route)) } }
        }
        return Answer(
            status: response.status,
            json: json ?? "",
            headers: Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
        )
    }

    private static func name(_ route: GatewayRoute) -> String { "\(route.method.rawValue) \(route.path)" }

    private func route(_ method: HTTPServerRequest.Method, _ path: [String]) -> GatewayRoute? {
        RouteTable(self.routes).resource(at: path)?.resource.routes[method]
    }

    /// What the description of a route lacks for a response; nil when it has the response.
    private func problem(_ route: GatewayRoute, _ response: HTTPServerResponse, _ json: JSONValue?) -> String? {
        let described = self.document["paths"]?[route.path]?[route.method.rawValue.lowercased()]?["responses"]?[
            "\(response.status)"
        ]
        guard let content = described?["content"]?.object else { return "\(response.status) is not described" }
        guard content.keys.first == response.type else { return "\(response.status) has the type \(response.type)" }
        guard response.status < 400 else {
            let codes = described?["description"]?.string ?? ""
            let code = json?["code"]?.string ?? ""
            return codes.split(separator: ", ").contains(Substring(code)) ? nil : "\(code) is none of \(codes)"
        }
        guard let json, let rule = route.operation?.responses.first(where: { $0.status == response.status })?.body
        else { return nil }
        return rule.problem(in: json, .written).map { "\(response.status): \($0)" }
    }
}
