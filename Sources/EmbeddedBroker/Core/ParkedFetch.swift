/// A Fetch that waits for enough records or for its time to end.
struct ParkedFetch: Sendable {
    /// The request.
    var request: FetchRequest
    /// Where the answer goes.
    var context: RequestContext
    /// When it is answered with whatever there is, on the monotonic clock.
    var deadline: Int64
}
