import Foundation

/// A directory that is gone when the test is over.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        self.path = NSTemporaryDirectory() + "intentd-commands-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
    }

    func file(_ name: String) -> String { self.path + "/" + name }

    deinit { try? FileManager.default.removeItem(atPath: self.path) }
}

extension TemporaryDirectory {
    /// Writes a file and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        let path = self.file(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}
