/// Why a produced batch is refused.
enum RecordBatchError: Error, Equatable {
    /// Lengths or checksum do not fit.
    case corrupt
    /// A message set of format 0 or 1.
    case oldFormat
    /// Sound bytes that a producer may not send: several batches, a control batch, records that cannot be decompressed,
    /// or others than the header says.
    case invalid
    /// The time stamps would be the broker's.
    case invalidTimestamp
    /// A record, or all of them, are larger than the topic allows when they are not compressed.
    case tooLarge

    /// How the protocol says it.
    ///
    /// Clients send again what was corrupt on the way; what they made themselves would be the same the next time.
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
