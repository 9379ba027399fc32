internal import Foundation
internal import IntentEvents

/// The request of `records prune` to the running recorder: a file beside the database, removed when the work is done.
///
/// Only one process writes a record database; other processes ask it to remove something.
struct PruneRequest: Sendable {
    /// The request's file.
    let path: String

    /// The request for a record database.
    init(records: String) { self.path = records + ".prune" }

    /// The time before which records are to be removed; nil when there is no request.
    var before: Timestamp? {
        guard let data = FileManager.default.contents(atPath: self.path) else { return nil }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return Int64(text).map(Timestamp.init(milliseconds:))
    }

    var isOpen: Bool { FileManager.default.fileExists(atPath: self.path) }

    /// Creates the request.
    /// - Throws: ``OperationError`` (69) when there is one already.
    func make(before: Timestamp) throws(OperationError) {
        let draft = self.path + ".\(getpid())"
        defer { unlink(draft) }
        do {
            try Data("\(before.milliseconds)\n".utf8).write(to: URL(fileURLWithPath: draft))
            chmod(draft, 0o600)
            try FileManager.default.linkItem(atPath: draft, toPath: self.path)
        } catch {
            throw OperationError(
                .unavailable,
                self.isOpen
                    ? "another prune is running; if none is, remove \(self.path)"
                    : "cannot write \(self.path): \(error.localizedDescription)"
            )
        }
    }

    /// Removes the request when it is done, or no longer wanted.
    func close() { unlink(self.path) }
}
