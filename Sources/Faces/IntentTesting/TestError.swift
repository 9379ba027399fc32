/// Why a conversation did not go as the test expected: what was expected, and what came.
///
/// It ends a test by being thrown; Swift Testing prints its description.
public struct TestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected, and what came instead.
    public var description: String

    init(_ description: String) { self.description = description }
}
