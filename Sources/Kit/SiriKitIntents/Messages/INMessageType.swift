public import IntentKit

/// What kind of message was sent.
public enum INMessageType: String, EnumerationValue, Codable {
    case unspecified
    case text
    /// A recording.
    case audio
    /// A drawing or a touch.
    case digitalTouch
    case handwriting
    case sticker
    /// A reaction: liked.
    case tapbackLiked
    /// A reaction: disliked.
    case tapbackDisliked
    /// A reaction: emphasized.
    case tapbackEmphasized
    /// A reaction: loved.
    case tapbackLoved
    /// A reaction: a question.
    case tapbackQuestioned
    /// A reaction: laughed at.
    case tapbackLaughed
    /// An event of a calendar.
    case mediaCalendar
    case mediaLocation
    case mediaAddressCard
    case mediaImage
    case mediaVideo
    case mediaPass
    case mediaAudio
    case paymentSent
    case paymentRequest
    /// A note about money.
    case paymentNote
    /// An animated face.
    case animoji
    /// An activity update.
    case activitySnippet
    case file
    case link
}
