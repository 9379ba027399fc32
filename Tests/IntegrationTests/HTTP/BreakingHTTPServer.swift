import Foundation
import Synchronization
import Testing

/// A service that ends connections before a request is answered, and counts the requests that reach it.
///
/// It uses sockets directly: an HTTP server would hide where a connection ends.
final class BreakingHTTPServer: Sendable {
    /// Where a connection ends.
    enum Break: CaseIterable, Sendable {
        /// When a request comes, before any of it is read.
        case beforeReading
        /// After the request's head.
        case afterHead
        /// After a part of the request's body.
        case inBody
        /// After the whole request.
        case afterBody
        /// After the whole request, by a reset.
        case reset
        /// After a part of the answer's head.
        case inAnswerHead
        /// After a part of the answer's body.
        case inAnswerBody
    }

    private let listener: CInt
    /// The port.
    let port: Int
    private let kind: Break
    private let answered: Int
    private let requests = Mutex(0)
    private let connections = Mutex(0)

    /// Starts it.
    ///
    /// - Parameters:
    ///   - kind: Where connections end.
    ///   - answered: How many requests of the first connection are answered before.
    /// - Throws: An `ExpectationFailedError` when there is no port.
    init(_ kind: Break, answered: Int) throws {
        self.kind = kind
        self.answered = answered
        self.listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        self.port = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try #require(bind(listener, pointer, length) == 0)
                try #require(listen(listener, 64) == 0)
                try #require(getsockname(listener, pointer, &length) == 0)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        Thread.detachNewThread { self.serve() }
    }

    /// The number of requests, also of those of which not all was read.
    var count: Int { self.requests.withLock(\.self) }

    /// The number of connections on which a request came.
    var connectionCount: Int { self.connections.withLock(\.self) }

    /// Stops accepting; connections that are open end by themselves.
    func stop() { shutdown(self.listener, CInt(SHUT_RDWR)) }

    private func serve() {
        var isFirst = true
        while true {
            let connection = accept(self.listener, nil, nil)
            guard connection >= 0 else { break }
            let answered = isFirst ? self.answered : 0
            isFirst = false
            Thread.detachNewThread {
                self.talk(connection, answered)
                close(connection)
            }
        }
        close(self.listener)
    }

    private func talk(_ connection: CInt, _ answered: Int) {
        for number in 0...answered {
            // A connection that is closed without a request does not count.
            guard Self.waits(connection) else { return }
            self.requests.withLock { $0 += 1 }
            if number == 0 { self.connections.withLock { $0 += 1 } }
            guard number == answered else {
                guard let size = Self.readHead(connection), Self.read(connection, size) else { return }
                Self.write(connection, "HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{\"code\":\"success\"}")
                continue
            }
            self.end(connection)
        }
    }

    private func end(_ connection: CInt) {
        guard self.kind != .beforeReading, let size = Self.readHead(connection) else { return }
        switch self.kind {
        case .beforeReading, .afterHead: return
        case .inBody: _ = Self.read(connection, size / 2)
        case .afterBody, .reset, .inAnswerHead, .inAnswerBody: _ = Self.read(connection, size)
        }
        if self.kind == .inAnswerHead { Self.write(connection, "HTTP/1.1 200 OK\r\nContent-Le") }
        if self.kind == .inAnswerBody {
            Self.write(connection, "HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{\"code\"")
        }
        guard self.kind == .reset else { return }
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    /// Waits for a byte, without reading it; false when there will be none.
    private static func waits(_ connection: CInt) -> Bool {
        var byte: UInt8 = 0
        return recv(connection, &byte, 1, CInt(MSG_PEEK)) == 1
    }

    /// Reads a head, and nothing behind it; the size of the body, or nil when the connection ends.
    private static func readHead(_ connection: CInt) -> Int? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var byte: UInt8 = 0
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        let fields = String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = fields.first { $0.hasPrefix("content-length:") }?.split(separator: ":").last
        return length.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    private static func read(_ connection: CInt, _ size: Int) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        var left = size
        while left > 0 {
            let count = recv(connection, &bytes, min(left, bytes.count), 0)
            guard count > 0 else { return false }
            left -= count
        }
        return true
    }

    private static func write(_ connection: CInt, _ text: String) {
        var bytes = Array(text.utf8)
        _ = send(connection, &bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }
}
