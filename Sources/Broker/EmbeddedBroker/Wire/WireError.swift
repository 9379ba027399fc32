/// What is wrong with a frame that cannot be read; the error closes its connection and affects nothing else.
enum WireError: Error, Equatable {
    /// The frame ends before the field does.
    case truncated
    /// A length is negative where the field may not be null, or larger than the bytes that are left.
    case invalidLength
    /// A string is not UTF-8.
    case invalidText
    /// The broker does not serve the API key.
    case unknownAPI(Int16)
    /// The API is served, but not in this version.
    case unsupportedVersion(api: ApiKey, version: Int16)
    /// The frame names more elements than any client needs.
    case tooManyElements
    /// The frame has begun and was not complete in time.
    case late
    /// Nothing has arrived on the connection for a long time.
    case idle
    /// The client does not read its answers, and holds the memory that others need.
    case slowReader
    /// The frame is larger than the configured limit.
    case frameTooLarge(Int)
}
