package import IntentEvents

extension RecordArchive {
    /// A page of a search.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func page(_ search: InteractionSearch) async throws -> InteractionPage {
        try await self.read { try ArchiveQueries($0).page(search) }
    }

    /// The times of interactions, in their order; nil where nothing says when one began (R80).
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func times(of interactions: [RecordedInteraction], now: Timestamp) async throws -> [InteractionTimes?] {
        try await self.read { try ArchiveQueries($0).times(of: interactions, now: now) }
    }

    /// The interaction whose request has that position; nil when there is none.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func story(ofRequest position: RecordPosition) async throws -> InteractionStory? {
        try await self.read { database in
            let queries = ArchiveQueries(database)
            return try queries.interaction(at: position).map(queries.story)
        }
    }

    /// The latest interaction of that id; nil when there is none.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func latest(_ id: InteractionID) async throws -> RecordedInteraction? {
        try await self.read { try ArchiveQueries($0).latestInteraction(id) }
    }

    /// The record at that position; nil when there is none.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func event(at position: RecordPosition) async throws -> RecordedEvent? {
        try await self.read { try ArchiveQueries($0).event(at: position) }
    }

    /// The highest number of a record, and of a turn; 0 where there is none.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func lastRows() async throws -> (events: Int64, turns: Int64) {
        try await self.read { try ArchiveQueries($0).lastRows() }
    }

    /// The records whose numbers are in a range, in their order.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func activity(_ range: Range<Int64>) async throws -> [ActivityRow] {
        try await self.read { try ArchiveQueries($0).activity(range) }
    }

    /// The workers of the turns whose numbers are in a range.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func workers(_ range: Range<Int64>) async throws -> [WorkerActivity] {
        try await self.read { try ArchiveQueries($0).workers(range) }
    }

    /// The number of open interactions, and of dead letters; it examines only the open ones.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func openCounts() async throws -> OpenCounts {
        try await self.read { try ArchiveQueries($0).openCounts() }
    }

    /// Dead letters with their records and interactions, in the order of the positions; those that are not recorded
    /// are left out.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func letterStories(at positions: [RecordPosition]) async throws -> [LetterStory] {
        try await self.read { database in
            try positions.compactMap { try ArchiveQueries(database).letterStory(at: $0) }
        }
    }

    /// Dead letters in brief, the newest in the file first.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func letters(limit: Int) async throws -> [RecordedLetter] {
        try await self.read { try ArchiveQueries($0).letters(limit: limit) }
    }
}
