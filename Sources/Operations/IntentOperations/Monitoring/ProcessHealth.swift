internal import Foundation
internal import LibCurl
internal import LocalHTTP

/// What a process reports about its lanes, its broker and its store (`/readyz`).
package struct ProcessHealth: Sendable {
    /// Whether the process is ready.
    package let isHealthy: Bool
    /// What it reports, possibly with characters that a terminal would obey; the first line is its verdict.
    package let lines: [[UInt8]]

    /// Requests `/readyz` from a process.
    /// - Throws: The transport's error when it does not answer in time.
    package static func ask(_ address: BrokerAddress, timeout: Duration) async throws -> ProcessHealth {
        let request = HTTPRequest(
            nil,
            to: "http://\(address)/readyz",
            timeout: timeout,
            maximumBytes: 1 << 20
        )
        let reply = try await HTTPSession.shared.reply(to: request)
        return ProcessHealth(
            isHealthy: reply.status == 200,
            lines: reply.body.split(separator: UInt8(ascii: "\n")).map { Array($0) }
        )
    }
}

/// Where the health of a deployment's processes is known from.
package enum HealthSource: Sendable {
    /// This process.
    case own(Monitor)
    /// Processes that are asked one after the other.
    case processes([BrokerAddress])

    /// What they report, one line for each lane, broker and store; `NOT OK` begins an unhealthy one's line.
    package func lines() async -> [String] {
        switch self {
        case .own(let monitor):
            return (monitor.ready(at: .now).text ?? "").split(separator: "\n").dropFirst().map(String.init)
        case .processes(let addresses):
            var lines: [String] = []
            for address in addresses {
                lines += await Self.lines(of: address, name: addresses.count > 1 ? " \(address)" : "")
            }
            return lines
        }
    }

    private static func lines(of address: BrokerAddress, name: String) async -> [String] {
        do {
            let health = try await ProcessHealth.ask(address, timeout: .seconds(3))
            return health.lines.dropFirst()
                .map { line in
                    let text = SafeText.line(line)
                    guard let colon = text.firstIndex(of: ":") else { return text }
                    return "\(text[..<colon]):\(name)\(text[text.index(after: colon)...])"
                }
        } catch {
            return ["NOT OK:\(name.isEmpty ? " \(address)" : name) did not answer the health check: \(error)"]
        }
    }
}
