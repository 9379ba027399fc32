internal import Foundation
package import IntentRuntime

extension RecordDatabase {
    /// Makes a record database from the topics, equal row for row to the recorder's but for `offsets.epoch` (R45).
    ///
    /// It is made beside its place and put there when it is whole.
    /// - Parameters:
    ///   - path: Where it goes; nothing may be there.
    ///   - log: The topics.
    ///   - prefix: Their prefix.
    ///   - cuts: What was removed on purpose from the recorder's file: it is left out here too.
    ///   - progress: Told how many more offsets are passed, and how many there are.
    /// - Returns: How many records it holds.
    /// - Throws: ``StoreError`` with `file` when the file exists; what ``RecordRebuild/run(into:)`` throws.
    package static func rebuild(
        at path: String,
        from log: any EventLog,
        prefix: String,
        cuts: [CutMark] = [],
        progress: (_ more: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws -> Int {
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else {
            throw StoreError(.file, "\(path) exists: a rebuild writes a new file.")
        }
        let draft = path + ".partial"
        guard let lock = try RecordLock.take(for: draft) else {
            throw StoreError(.file, "Another rebuild is writing \(draft).")
        }
        defer { try? files.removeItem(atPath: draft + ".lock") }
        for file in [draft, draft + "-wal", draft + "-shm"] where files.fileExists(atPath: file) {
            try files.removeItem(atPath: file)
        }
        let database = try await Self.open(draft, prefix, lock: lock)
        do {
            let count = try await RecordRebuild(log: log, prefix: prefix)
                .run(into: database, leavingOut: RecordCuts.offsets(cuts), progress: progress)
            try await database.prune(as: cuts)
            await database.close()
            // Linking, unlike renaming, refuses a file that came to be there meanwhile.
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
