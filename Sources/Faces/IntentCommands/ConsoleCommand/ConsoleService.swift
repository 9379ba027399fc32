import IntentConsole
import IntentOperations
import LocalHTTP
import ServiceLifecycle

/// A console with the server that serves it.
struct ConsoleService: Service {
    let console: Console
    let server: HTTPServer
    /// The token that a browser on another machine needs; nil on loopback.
    let token: String?

    /// Serves a console at the configured address.
    ///
    /// - Parameters:
    ///   - operations: What it shows and does.
    ///   - health: Where health is known from; nil where nothing reports it.
    /// - Returns: nil when the configuration says `none`.
    /// - Throws: ``OperationError``, `unavailable`, when the address is in use and not the usual one.
    static func start(_ operations: Operations, health: HealthSource? = nil) async throws -> ConsoleService? {
        guard let address = operations.configuration.listenAddress(.consoleListen) else { return nil }
        return try await Self.start(operations, health: health, at: address, isUsual: address == .usualConsole)
    }

    /// Serves a console.
    ///
    /// - Parameters:
    ///   - operations: What it shows and does.
    ///   - notice: What people should know on every page; nil for nothing.
    ///   - health: Where health is known from; nil where nothing reports it.
    ///   - address: The address to listen on.
    ///   - isUsual: Whether the address is the default, so that another port may be used.
    /// - Returns: The service, which already answers.
    /// - Throws: ``OperationError``, `unavailable`, when the address is in use.
    static func start(
        _ operations: Operations,
        notice: String? = nil,
        health: HealthSource? = nil,
        at address: BrokerAddress,
        isUsual: Bool
    ) async throws -> ConsoleService {
        let token = address.isLoopback ? nil : ConsoleGate.makeSecret()
        let console = Console(
            operations,
            gate: ConsoleGate(token: token, host: address.host),
            notice: notice,
            health: health
        )
        let logger = operations.configuration.logger("intentd.console")
        func listen(port: Int) async throws -> HTTPServer {
            try await .listen(host: address.host, port: port, headers: Console.headers, logger: logger) {
                await console.respond(to: $0)
            }
        }
        let server: HTTPServer
        do { server = try await listen(port: address.port) } catch {
            guard isUsual else {
                throw OperationError(.unavailable, "the console cannot listen on \(address): \(error)")
            }
            // With several consoles on one machine, the first has the usual port.
            server = try await listen(port: 0)
        }
        return ConsoleService(console: console, server: server, token: token)
    }

    /// The address for a browser, with the token that is needed there.
    var link: String {
        "http://\(self.server.address)/" + (self.token.map { "sign-in?token=\($0)" } ?? "")
    }

    /// Answers until the group shuts down.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.console.run() }
            group.addTask { try await self.server.run() }
            try await group.waitForAll()
        }
    }
}
