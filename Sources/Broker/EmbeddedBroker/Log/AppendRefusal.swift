/// The refusal to append a batch.
struct AppendRefusal: Error, Equatable {
    /// The protocol's error code.
    var code: ErrorCode
}
