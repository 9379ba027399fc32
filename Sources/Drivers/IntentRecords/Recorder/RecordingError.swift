package import IntentKit

/// A failure of the recorder or of its store.
package typealias RecordingError = CodedError<RecordingErrorCode>

package enum RecordingErrorCode: ErrorCode {
    package static let errorName = "RecordingError"

    /// Another recorder has claimed a partition; nothing was stored.
    case fenced
    /// The store is busy or broken; waiting can help.
    case unavailable
    /// The topics no longer hold the requested records (R43).
    case cutByRetention
    /// A topic that is missing, or is not recorded.
    case unknownTopic
    /// The topics do not return the records that they hold by their offsets.
    case incomplete
}
