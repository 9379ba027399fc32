import Foundation
import Testing

/// A program in Python that runs until the test is over.
final class PythonProgram: Sendable {
    /// Whether Python is installed.
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    private let identifier: pid_t

    /// Starts it and discards its output.
    init(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.identifier = process.processIdentifier
    }

    // Milder signals are blocked in what is started from one of dispatch's threads.
    deinit { kill(self.identifier, SIGKILL) }

    /// The definition in a file, for a service at that port.
    ///
    /// Its time limit is a minute: `service check` finds answers that take half of it, and how fast this machine is just
    /// now is no matter of these tests.
    static func definition(in file: URL, port: Int) throws -> String {
        let yaml = try String(contentsOf: file, encoding: .utf8)
        try #require(yaml.contains("8000") && yaml.contains("timeout: PT5S"))
        return yaml.replacing("8000", with: "\(port)").replacing("timeout: PT5S", with: "timeout: PT60S")
    }

    /// A free port.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try #require(bind(descriptor, pointer, length) == 0)
                try #require(getsockname(descriptor, pointer, &length) == 0)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }
}
