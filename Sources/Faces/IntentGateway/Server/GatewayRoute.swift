package import LocalHTTP

/// A method on a path of the gateway: what it answers, who may call it, and its description.
///
/// The gateway is a table of routes; the OpenAPI document is generated from the same table.
package struct GatewayRoute: Sendable {
    /// What a route does, and for whom.
    package enum Action: Sendable {
        /// For anybody, without a token.
        case open(@Sendable (GatewayRequest) async throws(GatewayError) -> HTTPServerResponse)
        /// For callers whose token has the scope; for any caller if there is none.
        case authorized(
            Caller.Scope?,
            @Sendable (GatewayRequest, Caller) async throws(GatewayError) -> HTTPServerResponse
        )
    }

    package var method: HTTPServerRequest.Method
    /// The path, with variables in braces: `/v1/interactions/{id}`.
    package var path: String
    /// Its description in the OpenAPI document; nil for what other documents describe.
    package var operation: APIOperation?
    package var action: Action

    package init(
        _ method: HTTPServerRequest.Method,
        _ path: String,
        _ operation: APIOperation?,
        _ action: Action
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.action = action
    }

    /// A route that other documents than OpenAPI's describe.
    package init(_ method: HTTPServerRequest.Method, _ path: String, _ action: Action) {
        self.init(method, path, nil, action)
    }

    /// The scope that a caller's token needs.
    var scope: Caller.Scope? { if case .authorized(let scope, _) = self.action { scope } else { nil } }
}

/// The routes by path and method.
struct RouteTable: Sendable {
    /// All methods of a path.
    struct Resource: Sendable {
        var path: String
        /// The parts of the path; nil for a variable.
        fileprivate var parts: [(name: String, isVariable: Bool)]
        var routes: [HTTPServerRequest.Method: GatewayRoute] = [:]

        /// The methods that it answers, in a fixed order.
        var methods: [HTTPServerRequest.Method] {
            HTTPServerRequest.Method.allCases.filter { method in
                self.routes[method] != nil || method == .options || method == .head && self.routes[.get] != nil
            }
        }

        /// The values of the variables; nil when it is another path.
        fileprivate func variables(in path: [String]) -> [String: String]? {
            guard path.count == self.parts.count else { return nil }
            var variables: [String: String] = [:]
            for (part, value) in zip(self.parts, path) {
                if part.isVariable { variables[part.name] = value } else if part.name != value { return nil }
            }
            return variables
        }
    }

    private(set) var resources: [Resource] = []

    init(_ routes: [GatewayRoute]) {
        for route in routes {
            let index = self.resources.firstIndex { $0.path == route.path }
            precondition(
                index.flatMap { self.resources[$0].routes[route.method] } == nil,
                "\(route.method) \(route.path) is served twice"
            )
            if let index {
                self.resources[index].routes[route.method] = route
            } else {
                let parts = route.path.split(separator: "/")
                    .map { part in
                        let isVariable = part.hasPrefix("{") && part.hasSuffix("}")
                        return (name: isVariable ? String(part.dropFirst().dropLast()) : String(part), isVariable)
                    }
                self.resources.append(Resource(path: route.path, parts: parts, routes: [route.method: route]))
            }
        }
    }

    /// The resource at a path, with the values of its variables; those without variables come first.
    func resource(at path: [String]) -> (resource: Resource, variables: [String: String])? {
        var found: (resource: Resource, variables: [String: String])?
        for resource in self.resources {
            guard let variables = resource.variables(in: path) else { continue }
            if variables.isEmpty { return (resource, variables) }
            found = found ?? (resource, variables)
        }
        return found
    }
}
