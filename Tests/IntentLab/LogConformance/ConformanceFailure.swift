/// A promise that a driver did not keep.
package struct ConformanceFailure: Error, CustomStringConvertible {
    /// The promise, and what happened instead.
    package let description: String

    /// Creates a failure.
    package init(_ description: String) {
        self.description = description
    }
}
