/// An open transaction that a client has begun on a log; it stays open until one of these is called.
package protocol ClientTransaction: Sendable {
    /// Commits it.
    func commit() async throws
    /// Aborts it.
    func abort() async throws
}
