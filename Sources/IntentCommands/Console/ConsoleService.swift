import IntentConsole
import Logging
import ServiceLifecycle

/// A console with the server that serves it.
struct ConsoleService: Service {
    /// The console.
    let console: Console
    /// The server.
    let server: ConsoleServer
    /// The token that a browser on another machine needs; nil on loopback.
    let token: String?

    /// The address of the console unless another is configured; where its port is in use, a free one is taken.
    static let usualAddress = BrokerAddress(host: "127.0.0.1", port: 9465)

    /// Serves a console.
    ///
    /// - Parameters:
    ///   - source: The source of its content.
    ///   - address: The address to listen on.
    ///   - isUsual: Whether nobody chose that address, so that another port may be used.
    ///   - logger: The server's logger.
    ///   - token: The token; nil generates one where one is needed.
    /// - Returns: The service, which already answers.
    /// - Throws: ``CommandFailure`` (69) when the address is in use.
    static func start(
        _ source: ConsoleSource,
        at address: BrokerAddress,
        isUsual: Bool,
        logger: Logger,
        token: String? = nil
    ) async throws -> ConsoleService {
        let token = address.isLoopback ? token : token ?? ConsoleGate.makeSecret()
        let console = Console(source, gate: ConsoleGate(token: token, host: address.host))
        let server: ConsoleServer
        do {
            server = try await .listen(host: address.host, port: address.port, logger: logger) {
                await console.respond(to: $0)
            }
        } catch {
            guard isUsual else {
                throw CommandFailure(.unavailable, "the console cannot listen on \(address): \(error)")
            }
            // With several consoles on one machine, the first has the usual port.
            server = try await .listen(host: address.host, port: 0, logger: logger) { await console.respond(to: $0) }
        }
        return ConsoleService(console: console, server: server, token: token)
    }

    /// The address for a browser, with the token that is needed there.
    var link: String {
        "http://\(self.server.address)/" + (self.token.map { "sign-in?token=\($0)" } ?? "")
    }

    /// Answers until the group shuts down.
    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.console.run() }
            group.addTask { await self.server.run() }
        }
    }
}
