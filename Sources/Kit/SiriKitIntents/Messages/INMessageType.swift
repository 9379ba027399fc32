public import IntentKit

/// What kind of message was sent.
public enum INMessageType: String, EnumerationValue, Codable {
    /// Not specified.
    case unspecified
    /// Text.
    case text
    /// A recording.
    case audio
    /// A drawing or a touch.
    case digitalTouch
    /// Handwriting.
    case handwriting
    /// A sticker.
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
    /// A place.
    case mediaLocation
    /// A contact card.
    case mediaAddressCard
    /// An image.
    case mediaImage
    /// A video.
    case mediaVideo
    /// A pass.
    case mediaPass
    /// A piece of audio.
    case mediaAudio
    /// Money that was sent.
    case paymentSent
    /// A request for money.
    case paymentRequest
    /// A note about money.
    case paymentNote
    /// An animated face.
    case animoji
    /// An activity update.
    case activitySnippet
    /// A file.
    case file
    /// A link.
    case link
}
