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

    package var place: TurnPlace
    /// How it runs.
    package var company: Company

    package init(_ place: TurnPlace, _ company: Company) {
        self.place = place
        self.company = company
    }
}
