import Foundation
import IntentEvents

/// What `records prune` asks of the recorder that runs: a file beside the database, gone when it is done.
///
/// Only one process writes a record database; whoever else wants something removed asks it.
struct PruneRequest: Sendable {
    /// The request's file.
    let path: String

    /// The request for a record database.
    init(records: String) { self.path = records + ".prune" }

    /// Before which time; nil when nobody asks.
    var before: Timestamp? {
        guard let data = FileManager.default.contents(atPath: self.path) else { return nil }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return Int64(text).map(Timestamp.init(milliseconds:))
    }

    /// Whether it is there.
    var isOpen: Bool { FileManager.default.fileExists(atPath: self.path) }

    /// Asks.
    /// - Throws: ``CommandFailure`` (69) when somebody has asked already.
    func make(before: Timestamp) throws(CommandFailure) {
        let draft = self.path + ".\(getpid())"
        defer { unlink(draft) }
        do {
            try Data("\(before.milliseconds)\n".utf8).write(to: URL(fileURLWithPath: draft))
            chmod(draft, 0o600)
            try FileManager.default.linkItem(atPath: draft, toPath: self.path)
        } catch {
            throw CommandFailure(
                .unavailable,
                self.isOpen
                    ? "another prune is under way; if none is, remove \(self.path)"
                    : "cannot write \(self.path): \(error.localizedDescription)"
            )
        }
    }

    /// Says that it is done, or no longer wanted.
    func close() { unlink(self.path) }
}
