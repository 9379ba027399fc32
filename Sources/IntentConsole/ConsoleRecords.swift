internal import IntentStore

/// The record database, opened when it is there.
actor ConsoleRecords {
    /// Who reads: each has a connection of its own, so that a long query of one holds up no other.
    enum Reader: Hashable {
        /// Pages.
        case pages
        /// What follows the records.
        case feed
    }

    private let path: String
    private var archives: [Reader: RecordArchive] = [:]

    /// Names the file; a recorder may make it later.
    init(path: String) { self.path = path }

    /// The archive.
    /// - Throws: `StoreError` when there is no such file yet.
    func archive(_ reader: Reader = .pages) async throws -> RecordArchive {
        if let archive = self.archives[reader] { return archive }
        let archive = try await RecordArchive.open(at: self.path)
        self.archives[reader] = archive
        return archive
    }

    /// Opens the file anew when it is next read.
    func forget() { self.archives = [:] }
}
