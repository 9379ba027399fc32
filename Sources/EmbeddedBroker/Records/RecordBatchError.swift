/// Why a produced batch is refused.
enum RecordBatchError: Error, Equatable {
    /// Lengths or checksum do not fit.
    case corrupt
    /// A message set of format 0 or 1.
    case oldFormat
    /// Sound bytes that a producer may not send: several batches, a control batch, wrong counts.
    case invalid

    /// How the protocol says it.
    var code: ErrorCode {
        switch self {
        case .corrupt: .corruptMessage
        case .oldFormat: .unsupportedForMessageFormat
        case .invalid: .invalidRecord
        }
    }
}
