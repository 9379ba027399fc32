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
