public import IntentKit

/// What became of a call.
public enum INCallRecordType: String, EnumerationValue, Codable {
    /// Not known.
    case unknown
    /// The user made it.
    case outgoing
    /// The user did not take it.
    case missed
    /// The user took it.
    case received
    /// Whatever it was, it was the latest.
    case latest
    /// The caller left a message.
    case voicemail
    /// It rings.
    case ringing
    /// It goes on.
    case inProgress
    /// It waits.
    case onHold
}
