/// The form of a text on the wire: the code that reads it, and the equivalent pattern in JSON Schema.
package struct TextForm: Sendable {
    /// A description with an example, for errors and documents.
    package var description: String
    /// The pattern in JSON Schema; nil when any text is allowed.
    package var pattern: String?
    /// The format in JSON Schema, if it has a name for it.
    package var format: String?
    /// The smallest number of characters.
    package var minimumLength: Int?
    /// The largest number of characters.
    package var maximumLength: Int?
    /// Whether a text has the form.
    package var accepts: @Sendable (String) -> Bool

    package init(
        _ description: String,
        pattern: String? = nil,
        format: String? = nil,
        minimumLength: Int? = nil,
        maximumLength: Int? = nil,
        accepts: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.description = description
        self.pattern = pattern
        self.format = format
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.accepts = accepts
    }

    package static let any = TextForm("a string")

    package static let nonEmpty = TextForm("a string that is not empty", minimumLength: 1) { !$0.isEmpty }
}
