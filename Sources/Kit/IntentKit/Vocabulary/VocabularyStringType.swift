/// The kind of entity that the words of a user's vocabulary stand for (`INVocabularyStringType`).
public enum VocabularyStringType: String, Sendable, CaseIterable {
    /// Names of contacts.
    case contactName
    /// Names of groups of contacts.
    case contactGroupName
    /// Tags of photos.
    case photoTag
    /// Names of photo albums.
    case photoAlbumName
    /// Names of workouts.
    case workoutActivityName
    /// Names of car profiles.
    case carProfileName
    /// Names of cars.
    case carName
    /// Names of organizations that receive payments.
    case paymentsOrganizationName
    /// The user's names for accounts.
    case paymentsAccountNickname
    /// Titles of notebook items.
    case notebookItemTitle
    /// Names of groups of notebook items.
    case notebookItemGroupName
    /// Titles of playlists.
    case mediaPlaylistTitle
    /// Names of musicians.
    case mediaMusicArtistName
    /// Titles of audiobooks.
    case mediaAudiobookTitle
    /// Names of audiobooks' authors.
    case mediaAudiobookAuthorName
    /// Titles of shows.
    case mediaShowTitle
}
