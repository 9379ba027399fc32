internal import IntentRecords

/// Counts the open interactions in the records; since it reads all of them, it uses at most a twentieth of the time.
actor OpenInteractions {
    private let path: String
    private var next = ContinuousClock.now

    /// Creates a counter for a record database, which need not exist yet.
    init(_ path: String) { self.path = path }

    /// The number of open interactions; nil when it is not time to count again, or counting is not possible.
    func count() async -> Int? {
        guard .now >= self.next else { return nil }
        let began = ContinuousClock.now
        // Opened each time: a recreated file has another identity under the same path.
        let open = try? await RecordArchive.open(at: self.path).openCounts().interactions
        self.next = .now + (.now - began) * 20
        return open
    }
}
