package import IntentEvents
package import IntentOperations
package import LocalHTTP

/// The settings of a gateway.
package struct GatewaySettings: Sendable {
    /// The address that it listens on; nil for none.
    package var address: BrokerAddress?
    package var publicURL: String?
    package var origins: [String]
    package var limits = RequestLimits.Configuration()
    package var server: HTTPServer.Limits
    package var tokens: TokenSettings
    /// The user of a gateway without keys.
    package var developmentUser: UserID = "me"
    /// Where events are posted; nil for nowhere.
    package var webhook: Webhook?
    /// Whether it serves the demo page.
    package var servesDemo = false

    /// The settings of a configuration.
    package init(_ configuration: Configuration) {
        self.address = configuration.listenAddress(.gatewayListen)
        self.publicURL = configuration.text(.gatewayPublicURL)
            .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        self.origins = configuration.list(.gatewayOrigins)
        self.limits.user = RequestLimits.Rate(
            perSecond: configuration.integer(.gatewayUserRate),
            concurrent: configuration.integer(.gatewayUserConcurrency)
        )
        self.limits.client = RequestLimits.Rate(
            perSecond: configuration.integer(.gatewayClientRate),
            concurrent: configuration.integer(.gatewayClientConcurrency)
        )
        self.tokens = TokenSettings(configuration)
        var server = HTTPServer.Limits()
        server.methods = HTTPServerRequest.Method.allCases
        server.connections = configuration.integer(.gatewayConnections)
        server.body = configuration.integer(.gatewayBodySize) << 10
        server.headerCount = 64
        server.headers = 16 << 10
        server.needsHost = true
        server.idleSeconds = 60
        server.stallSeconds = 30
        // Streams end themselves a moment before.
        server.answerSeconds = Gateway.longestStream + 60
        server.drainSeconds = 10
        self.server = server
    }
}
