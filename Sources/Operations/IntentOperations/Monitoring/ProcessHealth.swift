internal import Foundation
internal import LibCurl
internal import LocalHTTP

/// What a process reports about its lanes, its broker and its store (`/readyz`).
package struct ProcessHealth: Sendable {
    /// Whether the process is ready.
    package let isHealthy: Bool
    /// What it reports, possibly with characters that a terminal would obey; the first line is its verdict.
    package let lines: [[UInt8]]

    /// The name that lines about pauses have in place of a lane's.
    static let pausePart = "pause"

    /// What a line says about a pause (R82f); nil for another line.
    package static func pause(in line: String) -> String? {
        let parts = line.split(separator: ": ", maxSplits: 2)
        // In lines of several processes, the process comes before the part.
        guard parts.count == 3, parts[0] == "ok", parts[1].split(separator: " ").last == Self.pausePart[...]
        else { return nil }
        return String(parts[2])
    }

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
    /// These processes.
    case processes([BrokerAddress])
    /// The processes that are registered in a data directory.
    case registered(DataDirectory)

    /// What they report, one line for each lane, broker and store; `NOT OK` begins an unhealthy one's line.
    package func lines() async -> [String] {
        switch self {
        case .own(let monitor):
            return (monitor.ready(at: .now).text ?? "").split(separator: "\n").dropFirst().map(String.init)
        case .processes(let addresses):
            let names = addresses.count > 1 ? addresses.map(\.description) : [""]
            return await Self.lines(of: Array(zip(names, addresses)))
        case .registered(let data):
            let processes = RunningProcess.all(in: data).filter(\.isHere)
                .compactMap { process in process.monitoring.map { (process.worker, $0.local) } }
            return await Self.lines(of: processes.count > 1 ? processes : processes.map { ("", $0.1) })
        }
    }

    /// What processes report, which are asked at the same time; each line has the process's name unless that is empty.
    private static func lines(of processes: [(name: String, address: BrokerAddress)]) async -> [String] {
        await withTaskGroup(of: (Int, [String]).self) { group in
            for (index, process) in processes.enumerated() {
                group.addTask { (index, await Self.lines(of: process.address, name: process.name)) }
            }
            return await group.reduce(into: [Int: [String]]()) { $0[$1.0] = $1.1 }
                .sorted { $0.key < $1.key }.flatMap(\.value)
        }
    }

    private static func lines(of address: BrokerAddress, name: String) async -> [String] {
        do {
            let health = try await ProcessHealth.ask(address, timeout: .seconds(3))
            return health.lines.dropFirst()
                .map { line in
                    let text = SafeText.line(line)
                    guard !name.isEmpty, let colon = text.firstIndex(of: ":") else { return text }
                    return "\(text[..<colon]): \(name)\(text[text.index(after: colon)...])"
                }
        } catch {
            return ["NOT OK: \(name.isEmpty ? "\(address)" : name): did not answer the health check: \(error)"]
        }
    }
}
