/// A measurement could not be made.
package struct BenchmarkError: Error, CustomStringConvertible {
    /// What happened.
    package var description: String

    /// Says what happened.
    package init(_ description: String) {
        self.description = description
    }
}
