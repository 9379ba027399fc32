/// The meaning of words according to a vocabulary: which entry of which version (R25, R37).
public struct VocabularyMatch: Hashable, Sendable {
    /// Whose vocabulary it is.
    public enum Source: String, Sendable {
        /// The user's own, sent by the app (behaviour 74).
        case user
        /// The one that all users share, from a file (behaviour 80).
        case global
    }

    /// What the words are equal to, without regard to case, accents and spacing.
    public enum Means: String, Sendable {
        case identifier
        /// The first of the entity's phrases.
        case phrase
        /// Another one of the entity's phrases.
        case synonym
        /// How one of the entity's phrases sounds.
        case pronunciation
    }

    public var source: Source
    /// The type of the user's vocabulary, or the parameter's path in the global one.
    public var name: String
    /// The vocabulary's version: the position of its event, or the locale and digest of its file.
    public var version: String
    /// The entry's index in it, from 0: the smaller, the more important.
    public var index: Int
    /// What the words are equal to.
    public var means: Means
    /// The entity's identifier, if the entry has one.
    public var identifier: String?
    /// The entity's first phrase: how the app writes it.
    public var phrase: String

    public init(
        source: Source,
        name: String,
        version: String,
        index: Int,
        means: Means,
        identifier: String?,
        phrase: String
    ) {
        self.source = source
        self.name = name
        self.version = version
        self.index = index
        self.means = means
        self.identifier = identifier
        self.phrase = phrase
    }

    /// The entity as a value of a parameter.
    public var speakableString: INSpeakableString {
        INSpeakableString(spokenPhrase: self.phrase, identifier: self.identifier)
    }
}
