import Connections
import Foundation

/// Connections whose client never completes a request, on real sockets.
package final class HeldConnections {
    /// What the client does with them.
    package enum Manner: Sendable, CustomStringConvertible {
        /// It sends nothing.
        case silent
        /// It sends these bytes, which are no complete request, and then nothing.
        case partOf([UInt8])
        /// It sends these bytes one by one, on all connections in turn.
        case byteByByte([UInt8])

        private static let head = Array("GET /livez HTTP/1.1\r\nHost: 127".utf8)

        /// What clients of HTTP can do.
        package static let http = [Manner.silent, .partOf(Self.head), .byteByByte(Self.head)]

        package var description: String {
            switch self {
            case .silent: "silent"
            case .partOf: "half a request"
            case .byteByByte: "byte by byte"
            }
        }
    }

    /// Whether this process may have enough sockets open: both ends of several thousand connections.
    package static let arePossible = OpenFileLimit.raise() >= 8_192

    private var sockets: [Int32] = []

    /// A connection could not be made.
    package struct Failed: Error {
        /// The error of the system.
        package var code: Int32
    }

    /// Opens connections to a port on loopback.
    package init(_ count: Int, to port: Int, _ manner: Manner) throws {
        for _ in 0..<count { self.sockets.append(try Self.connect(to: port)) }
        switch manner {
        case .silent: break
        case .partOf(let bytes): self.send(bytes)
        case .byteByByte(let bytes): for byte in bytes { self.send([byte]) }
        }
    }

    deinit { self.close() }

    /// Closes them.
    package func close() {
        for socket in self.sockets { _ = Foundation.close(socket) }
        self.sockets = []
    }

    /// Sends on all connections; those that the server has closed take nothing any more.
    private func send(_ bytes: [UInt8]) {
        for socket in self.sockets { _ = Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    private static func connect(to port: Int) throws -> Int32 {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard made >= 0 else { throw Failed(code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let code = errno
            _ = Foundation.close(made)
            throw Failed(code: code)
        }
        return made
    }
}
