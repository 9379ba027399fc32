internal import IntentRecords

/// The record database, opened once it exists.
actor ConsoleRecords {
    /// The readers: each has a connection of its own, so that a long query of one does not block the other.
    enum Reader: Hashable {
        case pages
        case feed
    }

    private let path: String
    private var archives: [Reader: RecordArchive] = [:]

    /// Sets the path of the file; a recorder may create it later.
    init(path: String) { self.path = path }

    /// The archive.
    /// - Throws: `StoreError` when the file does not exist yet.
    func archive(_ reader: Reader = .pages) async throws -> RecordArchive {
        if let archive = self.archives[reader] { return archive }
        let archive = try await RecordArchive.open(at: self.path)
        self.archives[reader] = archive
        return archive
    }

    /// Makes the next read open the file again.
    func forget() { self.archives = [:] }
}
