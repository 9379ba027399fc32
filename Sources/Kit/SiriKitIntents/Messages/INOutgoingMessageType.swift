public import IntentKit

/// What kind of message is sent.
public enum INOutgoingMessageType: String, EnumerationValue {
    case unknown
    case outgoingMessageText
    /// A recording.
    case outgoingMessageAudio

    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .outgoingMessageText: ["en": "text", "de": "Text"]
        case .outgoingMessageAudio: ["en": "a recording", "de": "eine Aufnahme"]
        }
    }
}

public typealias INOutgoingMessageTypeResolutionResult = ParameterResolution<INOutgoingMessageType, NoReason>
