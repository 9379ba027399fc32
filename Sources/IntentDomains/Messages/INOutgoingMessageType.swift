public import IntentKit

/// What kind of message is sent.
public enum INOutgoingMessageType: String, EnumerationValue {
    /// Not said.
    case unknown
    /// Text.
    case outgoingMessageText
    /// A recording.
    case outgoingMessageAudio
}

/// Answers for the kind of a message.
public typealias INOutgoingMessageTypeResolutionResult = ParameterResolution<INOutgoingMessageType, NoReason>
