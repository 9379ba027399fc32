/// A broker's host and port.
package struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host's name or address.
    package var host: String
    /// The port; 0 chooses a free one.
    package var port: Int

    /// The default address of an embedded broker.
    static let anyLoopbackPort = BrokerAddress(host: "127.0.0.1", port: 0)
    /// The address of the console unless another is configured; where its port is in use, a free one is taken.
    package static let usualConsole = BrokerAddress(host: "127.0.0.1", port: 9465)

    /// The address of the gateway unless another is configured; `up` takes a free port where it is in use.
    package static let usualGateway = BrokerAddress(host: "127.0.0.1", port: 8080)

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`, `[v6]:port`; nil for anything else.
    package init?(_ text: String) {
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
    package var description: String {
        self.host.contains(":") ? "[\(self.host)]:\(self.port)" : "\(self.host):\(self.port)"
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { self.host == "localhost" || self.host == "::1" || self.host.hasPrefix("127.") }

    /// The address for connections from this machine, where the other one means all interfaces.
    package var local: BrokerAddress {
        switch self.host {
        case "0.0.0.0": BrokerAddress(host: "127.0.0.1", port: self.port)
        case "::": BrokerAddress(host: "::1", port: self.port)
        default: self
        }
    }
}
