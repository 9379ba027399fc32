/// What a user sees of a value, and what else the user may call it (R71).
///
/// ```swift
/// DisplayRepresentation(
///     title: ["en": "Checkup", "de": "Vorsorge"],
///     subtitle: ["en": "20 minutes", "de": "20 Minuten"],
///     synonyms: [["en": "exam", "de": "Kontrolle"]]
/// )
/// ```
/// Texts of more than 1,024 bytes are cut at a character. An image that breaks its rules is left out, and so are
/// synonyms beyond the first 20.
public struct DisplayRepresentation: Hashable, Sendable {
    /// A picture of a value.
    ///
    /// intentd passes it to the client and fetches nothing.
    public enum Image: Hashable, Sendable {
        /// An address that begins with `https:`, `http:` or `data:`.
        case url(String)
        /// The name of a picture that the client's system has.
        case systemName(String)
    }

    /// The largest size of a title, a subtitle or a synonym in one language, in bytes of UTF-8.
    package static let maximumTextBytes = 1_024
    /// The largest size of an image's address or name, in bytes of UTF-8.
    package static let maximumImageBytes = 2_048
    package static let maximumSynonyms = 20

    public let title: LocalizedText
    /// Distinguishes values of the same title.
    public let subtitle: LocalizedText?
    public let image: Image?
    /// Other words for the value.
    public let synonyms: [LocalizedText]

    public init(
        title: LocalizedText,
        subtitle: LocalizedText? = nil,
        image: Image? = nil,
        synonyms: [LocalizedText] = []
    ) {
        self.title = title.cut(toBytes: Self.maximumTextBytes)
        self.subtitle = subtitle?.cut(toBytes: Self.maximumTextBytes)
        self.image = image.flatMap { $0.isAllowed ? $0 : nil }
        self.synonyms = synonyms.prefix(Self.maximumSynonyms).map { $0.cut(toBytes: Self.maximumTextBytes) }
    }
}

extension DisplayRepresentation.Image {
    /// Whether it has the form and the size of an image.
    package var isAllowed: Bool {
        switch self {
        case .url(let address):
            address.utf8.count <= DisplayRepresentation.maximumImageBytes
                && ["https://", "http://", "data:"].contains { address.hasPrefix($0) }
        case .systemName(let name): !name.isEmpty && name.utf8.count <= DisplayRepresentation.maximumImageBytes
        }
    }
}

extension DisplayRepresentation: ExpressibleByStringInterpolation {
    /// A title in one language, shown to all users.
    public init(stringLiteral title: String) { self.init(title: LocalizedText(title)) }
}
