/// A promise that a driver did not keep.
package struct ConformanceFailure: Error, CustomStringConvertible {
    /// What was promised and what happened instead.
    package let description: String

    /// Describes a broken promise.
    package init(_ description: String) {
        self.description = description
    }
}
