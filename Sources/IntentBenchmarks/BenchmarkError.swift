/// A measurement could not be made.
struct BenchmarkError: Error, CustomStringConvertible {
    /// What happened.
    var description: String

    /// Says what happened.
    init(_ description: String) {
        self.description = description
    }
}
