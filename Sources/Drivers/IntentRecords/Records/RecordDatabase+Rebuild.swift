internal import Foundation
internal import IntentKit
package import IntentRuntime
package import SQLiteStore

extension RecordDatabase {
    /// Rebuilds a record database from the topics, equal row for row to the recorder's except `offsets.epoch` (R45).
    ///
    /// It is made in a temporary file and moved to its place when it is complete.
    /// - Parameters:
    ///   - path: The new file; it must not exist.
    ///   - log: The topics.
    ///   - prefix: Their prefix.
    ///   - cuts: What was removed on purpose from the recorder's file: it is left out here too.
    ///   - progress: Called with the number of further offsets that are passed, and with their total.
    /// - Returns: The number of records in it.
    /// - Throws: `StoreError` with `file` when the file exists; what ``RecordRebuild/run(into:)`` throws.
    package static func rebuild(
        at path: String,
        from log: any EventLog,
        prefix: String,
        cuts: [CutMark] = [],
        progress: (_ more: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws -> Int {
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else {
            throw StoreError(.file, "\(path) exists, but a rebuild writes a new file.")
        }
        let draft = path + ".partial"
        guard let lock = try RecordLock.acquire(for: draft) else {
            throw StoreError(.file, "Another rebuild is writing \(draft).")
        }
        defer { try? files.removeItem(atPath: draft + ".lock") }
        for file in [draft, draft + "-wal", draft + "-shm"] where files.fileExists(atPath: file) {
            try files.removeItem(atPath: file)
        }
        let database = try await Self.open(draft, prefix, lock: lock)
        do {
            let count = try await RecordRebuild(log: log, prefix: prefix)
                .run(into: database, leavingOut: CutMark.offsets(cuts), progress: progress)
            try await database.prune(as: cuts)
            await database.close()
            // Linking, unlike renaming, refuses a file that was created meanwhile.
            try files.linkItem(atPath: draft, toPath: path)
            try files.removeItem(atPath: draft)
            return count
        } catch {
            await database.close()
            try? files.removeItem(atPath: draft)
            throw error
        }
    }
}
