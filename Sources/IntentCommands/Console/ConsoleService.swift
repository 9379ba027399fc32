import IntentConsole
import ServiceLifecycle

/// A console and the server that it answers on.
struct ConsoleService: Service {
    /// What answers.
    let console: Console
    /// Where.
    let server: ConsoleServer
    /// What whoever comes from elsewhere has to know; nil on loopback.
    let token: String?

    /// Where the console is served unless somebody says otherwise; where that is taken, a free port is.
    static let usualAddress = "127.0.0.1:9465"

    /// Serves a console.
    ///
    /// - Parameters:
    ///   - source: What it shows.
    ///   - address: Where it listens.
    ///   - isUsual: Whether nobody chose that address, so that another will do.
    ///   - token: What has to be known; nil makes one where one is needed.
    /// - Returns: The service; it answers already.
    /// - Throws: ``CommandFailure`` (69) when the address is taken.
    static func start(
        _ source: ConsoleSource,
        at address: BrokerAddress,
        isUsual: Bool,
        token: String? = nil
    ) async throws -> ConsoleService {
        let token = address.isLoopback ? token : token ?? ConsoleGate.makeSecret()
        let console = Console(source, gate: ConsoleGate(token: token, host: address.host))
        let server: ConsoleServer
        do {
            server = try await .listen(host: address.host, port: address.port) { await console.respond(to: $0) }
        } catch {
            guard isUsual else {
                throw CommandFailure(.unavailable, "the console cannot listen on \(address): \(error)")
            }
            // Several consoles on one machine: the first has the usual port.
            server = try await .listen(host: address.host, port: 0) { await console.respond(to: $0) }
        }
        return ConsoleService(console: console, server: server, token: token)
    }

    /// Where to look, with the token that is needed there.
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
