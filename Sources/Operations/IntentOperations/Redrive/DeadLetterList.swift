package import IntentEvents
package import IntentRecords

/// Dead letters of the record database: the newest that a filter selects, and all that it selects in groups (R84).
package struct DeadLetterList: Sendable {
    /// A dead letter as it is listed.
    package struct Item: Sendable {
        package var letter: RecordedLetter
        /// The error's text, masked (R40).
        package var detail: String?
        /// The last interaction as which it was sent again.
        package var redrivenAs: InteractionID?

        package init(_ letter: RecordedLetter, detail: String?, redrivenAs: InteractionID?) {
            self.letter = letter
            self.detail = detail
            self.redrivenAs = redrivenAs
        }
    }

    /// How many of the newest letters are examined.
    package static let scanLimit = 20_000

    /// The newest selected letters, up to the limit.
    package var items: [Item] = []
    /// The names of all selected letters, the newest first.
    package var names: [String] = []
    /// The names of those that are not marked as handled.
    package var unhandled: [String] = []
    package var groups: [DeadLetterGroup] = []
    /// Whether older letters were not examined.
    package var isCutShort = false

    /// Shows a mark that is not recorded yet.
    package mutating func mark(_ name: String, _ handled: LetterHandling) {
        self.unhandled.removeAll { $0 == name }
        for index in self.items.indices where self.items[index].letter.name == name {
            self.items[index].letter.handled = handled
        }
    }

    /// An empty list.
    package init() {}

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - archive: The record database.
    ///   - filter: Selects the letters; it must not ask for ``DeadLetterFilter/detail``, which may hold masked values.
    ///   - limit: How many letters are listed.
    ///   - prefix: The prefix of the topics.
    ///   - masking: Masks the errors' texts.
    /// - Throws: `StoreError`; `StoreBusyError`.
    package init(
        _ archive: RecordArchive,
        _ filter: DeadLetterFilter,
        limit: Int,
        prefix: String,
        _ masking: Masking
    ) async throws {
        let examined = try await archive.letters(limit: Self.scanLimit)
        let selected = examined.filter(filter.selects)
        self.names = selected.map(\.name)
        self.unhandled = selected.filter { $0.handled == nil }.map(\.name)
        self.groups = DeadLetterGroup.groups(selected)
        self.isCutShort = examined.count == Self.scanLimit
        let shown = Array(selected.prefix(limit))
        let stories = Dictionary(
            try await archive.letterStories(at: shown.map(\.position)).map { ($0.record.position, $0) }
        ) { first, _ in first }
        self.items = shown.map { letter in
            let story = stories[letter.position]
            return Item(
                letter,
                detail: story.flatMap { MaskedLetter($0, prefix: prefix, masking).detail },
                redrivenAs: story?.redrivenAs
            )
        }
    }
}
