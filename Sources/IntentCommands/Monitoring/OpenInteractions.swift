import IntentStore

/// Counts the interactions that are open, from the records; at most a twentieth of the time, since it looks at all of them.
actor OpenInteractions {
    private let path: String
    private var next = ContinuousClock.now

    /// Counts in a record database, which need not be there yet.
    init(_ path: String) { self.path = path }

    /// How many are open; nil when it is not time to count again, or nothing can be counted.
    func count() async -> Int? {
        guard .now >= self.next else { return nil }
        let began = ContinuousClock.now
        // Opened each time: a file that was made again has another identity under the same path.
        let open = try? await RecordArchive.open(at: self.path).openCounts().interactions
        self.next = .now + (.now - began) * 20
        return open
    }
}
