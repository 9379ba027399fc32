/// The reason why a produced batch is refused.
enum RecordBatchError: Error, Equatable {
    /// Lengths or checksum do not match.
    case corrupt
    /// A message set of format 0 or 1.
    case oldFormat
    /// Valid bytes that a producer may not send: several batches, a control batch, or records that cannot be
    /// decompressed or do not match the header.
    case invalid
    /// The batch asks for the broker's time stamps.
    case invalidTimestamp
    /// A record, or all of them together, are larger than the topic allows before compression.
    case tooLarge

    /// The protocol's error code.
    ///
    /// Clients send a batch again that was corrupted on the way; an invalid batch of their own would be the same the
    /// next time.
    var code: ErrorCode {
        switch self {
        case .corrupt: .corruptMessage
        case .oldFormat: .unsupportedForMessageFormat
        case .invalid: .invalidRecord
        case .invalidTimestamp: .invalidTimestamp
        case .tooLarge: .messageTooLarge
        }
    }
}
