public import IntentKit

/// The outcome of a call.
public enum INCallRecordType: String, EnumerationValue, Codable {
    /// Not known.
    case unknown
    /// The user made it.
    case outgoing
    /// The user did not answer it.
    case missed
    /// The user answered it.
    case received
    /// The latest call, whatever its outcome.
    case latest
    /// The caller left a message.
    case voicemail
    /// It is ringing.
    case ringing
    /// It is in progress.
    case inProgress
    /// It is on hold.
    case onHold
}
