/// Where the work of a connection is done.
package enum StoreAccess: Sendable {
    /// On the connection's own dispatch queue: nobody's thread is held up.
    case ownQueue
    /// On the caller's thread: for simulations, in which one thread does everything.
    ///
    /// `before` is awaited first, so that a transaction is a step that other things can happen before.
    case inline(before: @Sendable () async -> Void)
}
