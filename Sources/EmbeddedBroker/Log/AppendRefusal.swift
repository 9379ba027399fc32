/// A batch that does not fit on the log.
struct AppendRefusal: Error, Equatable {
    /// How the protocol says it.
    var code: ErrorCode
}
