internal import Foundation
package import IntentEvents
package import IntentOperations
internal import IntentRuntime
internal import LocalHTTP
internal import Logging
package import ServiceLifecycle
internal import Synchronization
internal import Telemetry

/// A gateway with the server that serves it, and what it reads.
package struct GatewayService: Sendable {
    /// The address for clients on this machine.
    package let link: String
    /// The user of everybody; nil where tokens say who calls.
    package let developmentUser: UserID?
    /// What runs, in the order in which it starts: the last one ends first.
    package let services: [any Service]
    private let desk: GatewayDesk

    /// Serves a gateway.
    ///
    /// - Parameters:
    ///   - assembly: The deployment and its intents.
    ///   - settings: The settings.
    ///   - isUsual: Whether the address is the default, so that another port may be used.
    ///   - monitor: Where its health and metrics are served; nil where they are not.
    /// - Returns: The gateway, which answers and does not know anything before its services run; nil when the settings
    ///   have no address.
    /// - Throws: ``OperationError``, `unavailable`, when the address is in use.
    package static func start(
        _ assembly: Assembly,
        _ settings: GatewaySettings,
        isUsual: Bool,
        monitor: Monitor?
    ) async throws -> GatewayService? {
        guard let address = settings.address else { return nil }
        let logger = assembly.configuration.logger("intentd.gateway")
        let gateway = Late()
        let server = try await Self.listen(address, settings, isUsual: isUsual, logger: logger, gateway)
        let place = try GatewayDesk(
            assembly,
            publicURL: settings.publicURL ?? "http://\(server.address)",
            logger: logger
        )
        let (desk, view, registry, confirming) = (place.desk, place.view, place.registry, place.confirming)
        let drain = Drain()
        let doors =
            InteractionRoutes(desk, confirming: confirming, drain: drain).all + EventRoutes(desk).all
            + IntentRoutes(registry).all
        let keys = settings.tokens.keys.map { IssuerKeys($0, logger: logger) }
        let authenticator =
            keys.map { keys in
                Authenticator(TokenVerifier(settings.tokens, keys: keys) { Date().timeIntervalSince1970 })
            } ?? Authenticator(developmentUser: settings.developmentUser)
        let agents =
            MCPRoutes(
                MCPServer(desk: desk, registry: registry, isDraining: { drain.hasBegun }),
                registry: registry,
                issuer: keys == nil ? nil : settings.tokens.issuer
            )
            .all + A2ARoutes(A2AServer(desk: desk, registry: registry), registry: registry, hasTokens: keys != nil).all
            + ConfirmingRoutes(desk, authenticator: authenticator).all
        let metrics = GatewayMetrics(monitor?.factory)
        gateway.set(
            Gateway(
                settings,
                routes: doors + agents + DocumentRoutes(describing: doors, version: ProgramVersion.number).all
                    + (settings.servesDemo ? DemoPage().all : []),
                authenticator: authenticator,
                host: address.host,
                metrics: metrics
            )
        )
        monitor?.watch("gateway") { view.isReady ? nil : "is reading its topics" }
        if let keys { monitor?.watch("keys of \(settings.tokens.issuer)") { keys.problem } }
        let webhooks = settings.webhook.map { webhook in
            WebhookService(
                webhook,
                log: assembly.log,
                deployment: assembly.deployment,
                name: LaneName(place.member),
                metrics: monitor?.factory,
                logger: logger
            )
        }
        // Requests are answered without the webhook: a problem of it must not take the gateway out of service.
        if let webhooks { monitor?.watch("webhooks", isRequired: false) { webhooks.problem } }
        logger.info("Serving the gateway", metadata: [TelemetryKey.address: "\(server.address)"])
        let serving = GatewayServing(
            server: server,
            keys: keys,
            view: view,
            metrics: metrics,
            onShutdown: {
                drain.begin()
                desk.endStreams()
            },
            onEnd: { await place.close() }
        )
        return GatewayService(
            link: "http://\(server.address)",
            developmentUser: keys == nil ? settings.developmentUser : nil,
            services: [view] + (webhooks.map { [$0] } ?? []) + [serving],
            desk: place
        )
    }

    /// Registers this process as a gateway, for `status` and `config show --running` (R81b); where `up` serves the gateway,
    /// its worker is registered instead.
    package func register(_ assembly: Assembly, _ monitoring: Monitoring?) {
        self.desk.register(
            monitoring: monitoring.flatMap { BrokerAddress($0.address) },
            assembly.configuration
        )
    }

    private static func listen(
        _ address: BrokerAddress,
        _ settings: GatewaySettings,
        isUsual: Bool,
        logger: Logger,
        _ gateway: Late
    ) async throws -> HTTPServer {
        func listen(port: Int) async throws -> HTTPServer {
            try await .listen(
                host: address.host,
                port: port,
                limits: settings.server,
                headers: [(name: "Referrer-Policy", value: "no-referrer")],
                logger: logger,
                refusal: { HTTPServerResponse(GatewayError(refusal: $0, $1)) },
                respond: { await gateway.respond(to: $0) }
            )
        }
        do {
            return try await listen(port: address.port)
        } catch {
            guard isUsual else {
                throw OperationError(.unavailable, "gateway.listen: cannot listen on \(address): \(error)")
            }
            // With several processes on one machine, the first has the usual port.
            return try await listen(port: 0)
        }
    }

    /// A gateway that is made after its server, whose address it needs.
    private final class Late: Sendable {
        private let gateway = Mutex<Gateway?>(nil)

        func set(_ gateway: Gateway) { self.gateway.withLock { $0 = gateway } }

        func respond(to request: HTTPServerRequest) async -> HTTPServerResponse {
            guard let gateway = self.gateway.withLock(\.self) else {
                return HTTPServerResponse(GatewayError(.unavailable, "The gateway is starting.", retryAfter: 1))
            }
            return await gateway.respond(to: request)
        }
    }
}

/// The server of a gateway with what it needs meanwhile, until the group shuts down: what is being answered then is
/// finished, waits are answered, and streams end.
private struct GatewayServing: Service {
    let server: HTTPServer
    let keys: IssuerKeys?
    let view: InteractionView
    let metrics: GatewayMetrics
    let onShutdown: @Sendable () -> Void
    let onEnd: @Sendable () async -> Void

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let keys = self.keys { group.addTask { await keys.run() } }
            group.addTask { await self.measure() }
            group.addTask {
                try await withGracefulShutdownHandler {
                    try await self.server.run()
                } onGracefulShutdown: {
                    self.onShutdown()
                }
            }
            try await group.waitForAll()
        }
        await self.onEnd()
    }

    private func measure() async {
        await cancelWhenGracefulShutdown {
            await self.metrics.measure(
                connections: { self.server.connectionCount },
                keys: { self.keys.map { $0.current.keys?.count ?? 0 } },
                lag: { await self.view.lag() }
            )
        }
    }
}
