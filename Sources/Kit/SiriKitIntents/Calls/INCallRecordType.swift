public import IntentKit

/// The outcome of a call.
public enum INCallRecordType: String, EnumerationValue, Codable {
    case unknown
    case outgoing
    case missed
    /// The user answered it.
    case received
    /// The latest call, whatever its outcome.
    case latest
    /// The caller left a message.
    case voicemail
    case ringing
    case inProgress
    case onHold
}
