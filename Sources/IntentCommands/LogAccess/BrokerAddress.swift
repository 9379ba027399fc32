/// A broker's host and port.
struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host's name or address.
    var host: String
    /// The port; 0 chooses a free one.
    var port: Int

    /// The default address of an embedded broker.
    static let anyLoopbackPort = BrokerAddress(host: "127.0.0.1", port: 0)

    /// Creates an address.
    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`, `[v6]:port`; nil for anything else.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        // The longest name that DNS has; none is resolved here.
        guard 1...253 ~= host.utf8.count,
            !host.contains(where: { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 } })
        else { return nil }
        self.init(host: String(host), port: port)
    }

    /// `host:port`.
    var description: String { self.host.contains(":") ? "[\(self.host)]:\(self.port)" : "\(self.host):\(self.port)" }

    /// Whether only this machine can reach it.
    var isLoopback: Bool { self.host == "localhost" || self.host == "::1" || self.host.hasPrefix("127.") }

    /// The address for connections from this machine, where the other one means all interfaces.
    var local: BrokerAddress {
        switch self.host {
        case "0.0.0.0": BrokerAddress(host: "127.0.0.1", port: self.port)
        case "::": BrokerAddress(host: "::1", port: self.port)
        default: self
        }
    }
}
