/// The texts for prompts in each language, in addition to the built-in ones.
package struct PromptTexts: Sendable {
    package struct ParameterTexts: Hashable, Sendable {
        package var title: String?
        /// Its own sentences.
        package var sentences: [PromptSentence: String] = [:]

        package init() {}
    }

    package struct IntentTexts: Hashable, Sendable {
        package var title: String?
        /// Its own sentences.
        package var sentences: [PromptSentence: String] = [:]
        /// Its parameters', by name.
        package var parameters: [String: ParameterTexts] = [:]

        package init() {}
    }

    /// The texts in one language.
    package struct Language: Hashable, Sendable {
        /// Sentences for parameters and intents without their own.
        package var sentences: [PromptSentence: String] = [:]
        /// Why values are not accepted, by the reason's name.
        package var reasons: [String: String] = [:]
        /// Intents' own, by name.
        package var intents: [String: IntentTexts] = [:]

        package init() {}
    }

    private let byLocale: [String: Language]

    /// Gathers languages by locale; the empty one serves where no other does.
    package init(_ byLocale: [String: Language] = [:]) {
        self.byLocale = Dictionary(byLocale.map { (LocaleFallback.key($0), $1) }) { $1 }
    }

    /// The texts for a language, that of the region first, without the fallback for all languages.
    package func languages(_ locale: String) -> [Language] {
        LocaleFallback.keys(locale).filter { !$0.isEmpty }.compactMap { self.byLocale[$0] }
    }

    /// The fallback for all languages.
    package var anywhere: Language? { self.byLocale[""] }
}
