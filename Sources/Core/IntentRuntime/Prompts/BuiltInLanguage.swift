internal import IntentKit

/// The built-in sentences of a language, for when no other words are configured.
protocol BuiltInLanguage: Sendable {
    /// Sentences that are the same for every parameter.
    var sentences: [PromptSentence: String] { get }
    /// The words for yes and for no as values.
    var yesAndNo: (String, String) { get }

    func question(for asked: AskedParameter) -> String

    /// Says that a value is refused, and why.
    ///
    /// - Parameters:
    ///   - item: The value in words; nil when there was none.
    ///   - asked: The parameter.
    ///   - refusal: The reason.
    /// - Returns: A sentence, or several.
    func refusal(of item: String?, as asked: AskedParameter, _ refusal: Refusal) -> String

    /// Asks which of several values is meant.
    func choice(of asked: AskedParameter, among options: String) -> String
}

enum BuiltInLanguages {
    /// The language for users whose language is not built in.
    static let english: any BuiltInLanguage = EnglishLanguage()

    private static let all: [String: any BuiltInLanguage] = [
        "en": Self.english, "de": TabledLanguage.german, "fr": TabledLanguage.french, "es": TabledLanguage.spanish,
    ]

    /// The built-in language for a locale; nil when there is none.
    static func language(_ locale: String) -> (any BuiltInLanguage)? {
        Self.all[String(locale.prefix { $0 != "-" && $0 != "_" }).lowercased()]
    }
}
