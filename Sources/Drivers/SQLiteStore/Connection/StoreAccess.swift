/// Where a connection does its work.
package enum StoreAccess: Sendable {
    /// On the connection's own dispatch queue, which blocks no other thread.
    case ownQueue
    /// On the caller's thread: for simulations, in which one thread does everything.
    ///
    /// `before` is awaited first, so that other steps can happen before a transaction.
    case inline(before: @Sendable () async -> Void)
}
