struct AppendRefusal: Error, Equatable {
    var code: ErrorCode
}
