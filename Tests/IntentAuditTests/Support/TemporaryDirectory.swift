import Foundation

/// A directory that is gone when the test is over.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        self.path = NSTemporaryDirectory() + "intentd-audit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
    }

    func file(_ name: String) -> String { self.path + "/" + name }

    deinit { try? FileManager.default.removeItem(atPath: self.path) }
}
