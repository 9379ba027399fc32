internal import IntentKit

/// What intentd says in a language when nobody has told it better.
protocol BuiltInLanguage: Sendable {
    /// Sentences that are the same for every parameter.
    var sentences: [PromptSentence: String] { get }
    /// How a yes is said as a value, and how a no.
    var yesAndNo: (String, String) { get }

    /// Asks for a parameter.
    func question(for asked: AskedParameter) -> String

    /// Says that a value is not taken, and why.
    ///
    /// - Parameters:
    ///   - item: The value as it is said; nil when there was none.
    ///   - asked: The parameter.
    ///   - refusal: Why.
    /// - Returns: A sentence, or several.
    func refusal(of item: String?, as asked: AskedParameter, _ refusal: Refusal) -> String

    /// Asks which of several values is meant.
    func choice(of asked: AskedParameter, among options: String) -> String
}

/// The languages that intentd speaks by itself.
enum BuiltInLanguages {
    /// What it says to those whose language it does not speak.
    static let english: any BuiltInLanguage = EnglishLanguage()

    private static let all: [String: any BuiltInLanguage] = [
        "en": Self.english, "de": TabledLanguage.german, "fr": TabledLanguage.french, "es": TabledLanguage.spanish,
    ]

    /// What it says in a language; nil when it does not speak it.
    static func language(_ locale: String) -> (any BuiltInLanguage)? {
        Self.all[String(locale.prefix { $0 != "-" && $0 != "_" }).lowercased()]
    }
}
