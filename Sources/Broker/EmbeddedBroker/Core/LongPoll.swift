/// A Fetch that waits for enough records or for its deadline.
struct LongPoll: Sendable {
    var request: FetchRequest
    /// The request's context, with the address of the answer.
    var context: RequestContext
    /// The time at which it is answered with the records that there are, on the monotonic clock.
    var deadline: Int64
}
