internal import Foundation

/// A directory that is removed when the test is over.
package final class TemporaryDirectory: Sendable {
    /// Its path.
    package let path: String

    /// Creates it, empty, under a unique name.
    package init() throws {
        self.path = NSTemporaryDirectory() + "intentd-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
    }

    /// The path of a file in it.
    package func file(_ name: String) -> String { self.path + "/" + name }

    deinit { try? FileManager.default.removeItem(atPath: self.path) }
}

extension TemporaryDirectory {
    /// Writes a file and returns its path.
    package func write(_ text: String, to name: String) throws -> String {
        let path = self.file(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}
