internal import NIOCore

/// The names by which an HTTP server may be addressed (`Host`).
///
/// A page of another site can have its own name resolve to this server's address, and then read what the server
/// answers (DNS rebinding). The browser still sends that site's name. So only names are answered that no other site can
/// have.
package struct HostNames: Sendable {
    private let names: Set<String>
    private let includesAddresses: Bool

    /// The names of a server.
    ///
    /// - Parameters:
    ///   - host: The host that it listens on.
    ///   - includesAddresses: Whether every IP address is such a name. It is, since an address needs no resolving; but
    ///     no client asks for another one where only this machine can connect.
    ///   - others: More names, in any case, with or without a port.
    package init(listeningOn host: String, includesAddresses: Bool, others: [String] = []) {
        let own = ["localhost", "127.0.0.1", "[::1]", host.contains(":") ? "[\(host)]" : host]
        self.names = Set((own + others).map(Self.name))
        self.includesAddresses = includesAddresses
    }

    /// Whether a request with this header is answered.
    package func contains(_ header: String) -> Bool {
        let name = Self.name(header)
        return self.names.contains(name) || self.includesAddresses && Self.isAddress(name)
    }

    /// The host without its port, in lower case.
    private static func name(_ host: String) -> String {
        if host.hasPrefix("[") { return host.prefix { $0 != "]" }.lowercased() + "]" }
        return host.prefix { $0 != ":" }.lowercased()
    }

    private static func isAddress(_ name: String) -> Bool {
        let bare = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
        guard let address = try? SocketAddress(ipAddress: bare, port: 0) else { return false }
        if case .v6 = address { return name.hasPrefix("[") }
        return true
    }
}
