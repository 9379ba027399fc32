/// Why a conversation did not go as the test expected: what was waited for, and what came.
///
/// It ends a test by being thrown; Swift Testing prints it as it stands.
public struct TestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was waited for, and what came instead.
    public var description: String

    /// Says why.
    init(_ description: String) { self.description = description }
}
