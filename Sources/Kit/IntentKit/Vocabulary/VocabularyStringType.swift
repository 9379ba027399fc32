/// The kind of entity that the words of a user's vocabulary stand for (`INVocabularyStringType`).
public enum VocabularyStringType: String, Sendable, CaseIterable {
    case contactName
    case contactGroupName
    case photoTag
    case photoAlbumName
    case workoutActivityName
    case carProfileName
    case carName
    /// Names of organizations that receive payments.
    case paymentsOrganizationName
    /// The user's names for accounts.
    case paymentsAccountNickname
    case notebookItemTitle
    case notebookItemGroupName
    case mediaPlaylistTitle
    case mediaMusicArtistName
    case mediaAudiobookTitle
    /// Names of audiobooks' authors.
    case mediaAudiobookAuthorName
    case mediaShowTitle
}
