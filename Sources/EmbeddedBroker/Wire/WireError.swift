/// What is wrong with a frame that cannot be read; it costs its connection, nothing else.
enum WireError: Error, Equatable {
    /// The frame ends before the field does.
    case truncated
    /// A length is negative where the field may not be null, or larger than the bytes that are left.
    case invalidLength
    /// A string is not UTF-8.
    case invalidText
    /// The API key is none that the broker serves.
    case unknownAPI(Int16)
    /// The API is served, but not in this version.
    case unsupportedVersion(api: ApiKey, version: Int16)
    /// The frame names more things than any client has to.
    case tooManyElements
    /// The frame has begun and does not come to its end.
    case late
    /// Nothing has come on the connection for long.
    case idle
    /// The client does not take its answers, and holds the memory that others need.
    case slowReader
    /// The frame is larger than the configured limit.
    case frameTooLarge(Int)
}
