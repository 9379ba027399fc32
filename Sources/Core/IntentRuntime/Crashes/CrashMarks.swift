/// Where running turns are marked, so that the next process can read the marks (R56).
///
/// Marking costs a few stores: nothing here waits, allocates or calls the operating system.
package protocol CrashMarks: Sendable {
    /// The number of marks that it has room for.
    var capacity: Int { get }

    /// Marks the turn that runs at an index; nil removes the mark.
    ///
    /// An index has one user at a time.
    func set(_ mark: TurnMark?, at index: Int)

    /// Drops the crash counts of turns that have been committed.
    ///
    /// Nothing waits for it: the count of a committed turn does no harm, and the next worker that is assigned its
    /// partition drops it.
    func forget(_ turns: [TurnKey])

    /// Returns when earlier drops are visible to the next process as well.
    func settle() async
}

/// The mark of a running turn, for the next process to read (R56).
package struct TurnMark: Hashable, Sendable {
    /// How it runs.
    package enum Company: UInt8, Sendable, CaseIterable {
        /// Side by side with others.
        case ordinary
        /// As the only one admitted, beside turns that would not end.
        case solo
        /// With nothing else beside it.
        case alone
    }

    package var turn: TurnKey
    /// How it runs.
    package var company: Company

    package init(_ turn: TurnKey, _ company: Company) {
        self.turn = turn
        self.company = company
    }
}
