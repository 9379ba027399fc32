package import IntentKit

/// What a user sees of a value at a prompt, in one language: `optionDisplays` and `itemDisplay` on the wire (R71).
package struct OptionDisplay: Hashable, Sendable {
    /// Never empty; of options that look the same, it ends with a number.
    package var title: String
    package var subtitle: String?
    package var image: DisplayRepresentation.Image?
    /// What else the user may call it, in that language.
    package var synonyms: [String] = []

    package init(
        title: String,
        subtitle: String? = nil,
        image: DisplayRepresentation.Image? = nil,
        synonyms: [String] = []
    ) {
        self.title = title
        self.subtitle = subtitle
        self.image = image
        self.synonyms = synonyms
    }

    /// The title, with the subtitle in brackets if there is one.
    package var text: String { self.subtitle.map { "\(self.title) (\($0))" } ?? self.title }

    /// The same words as a representation, for all languages.
    var representation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(self.title),
            subtitle: self.subtitle.map { LocalizedText($0) },
            image: self.image,
            synonyms: self.synonyms.map { LocalizedText($0) }
        )
    }

    /// What the user sees of the options of a prompt, in order.
    ///
    /// - Parameter prompt: The data of `prompt.issued`.
    /// - Returns: One for each option; nil for an event of an earlier version.
    package static func all(in prompt: JSONValue) -> [OptionDisplay]? {
        let displays = (prompt["optionDisplays"]?.array ?? []).compactMap(OptionDisplay.init(json:))
        return displays.count == prompt["options"]?.array?.count ?? 0 ? displays : nil
    }

    /// The wire form.
    package var json: JSONValue {
        .members([
            "image": self.image?.json,
            "subtitle": self.subtitle.map(JSONValue.string),
            "synonyms": self.synonyms.isEmpty ? nil : .array(self.synonyms.map(JSONValue.string)),
            "title": .string(self.title),
        ])
    }

    /// Reads the wire form; nil when it is none, such as in an event of an earlier version.
    package init?(json: JSONValue) {
        guard let title = json["title"]?.string else { return nil }
        self.init(
            title: title,
            subtitle: json["subtitle"]?.string,
            image: json["image"].flatMap(DisplayRepresentation.Image.init(json:)),
            synonyms: (json["synonyms"]?.array ?? []).compactMap(\.string)
        )
    }
}
