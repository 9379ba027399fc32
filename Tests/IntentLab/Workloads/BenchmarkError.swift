/// A measurement failed.
package struct BenchmarkError: Error, CustomStringConvertible {
    /// What happened.
    package var description: String

    /// Creates an error.
    package init(_ description: String) {
        self.description = description
    }
}
