/// What intentd says at prompts in each language, beside what it says by itself.
package struct PromptTexts: Sendable {
    /// What it says of one parameter.
    package struct ParameterTexts: Hashable, Sendable {
        /// What the parameter is called.
        package var title: String?
        /// Its own sentences.
        package var sentences: [PromptSentence: String] = [:]

        /// Says nothing.
        package init() {}
    }

    /// What it says of one intent.
    package struct IntentTexts: Hashable, Sendable {
        /// What the intent is called.
        package var title: String?
        /// Its own sentences.
        package var sentences: [PromptSentence: String] = [:]
        /// Its parameters', by name.
        package var parameters: [String: ParameterTexts] = [:]

        /// Says nothing.
        package init() {}
    }

    /// What it says in one language.
    package struct Language: Hashable, Sendable {
        /// Sentences for whatever has none of its own.
        package var sentences: [PromptSentence: String] = [:]
        /// Why values are not taken, by the reason's name.
        package var reasons: [String: String] = [:]
        /// Intents' own, by name.
        package var intents: [String: IntentTexts] = [:]

        /// Says nothing.
        package init() {}
    }

    private let byLocale: [String: Language]

    /// Gathers languages by locale; the empty one serves where no other does.
    package init(_ byLocale: [String: Language] = [:]) {
        self.byLocale = Dictionary(byLocale.map { (LocaleFallback.key($0), $1) }) { $1 }
    }

    /// What is said in a language, that of the region first; what serves everywhere is left out.
    package func languages(_ locale: String) -> [Language] {
        LocaleFallback.keys(locale).filter { !$0.isEmpty }.compactMap { self.byLocale[$0] }
    }

    /// What serves where no other does.
    package var anywhere: Language? { self.byLocale[""] }
}
