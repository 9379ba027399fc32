/// The global vocabularies of all languages (R36).
public struct GlobalVocabularies: Sendable {
    private let byLocale: [String: GlobalVocabulary]

    /// Gathers vocabularies; of two for one language the last counts.
    public init(_ vocabularies: [GlobalVocabulary] = []) {
        self.byLocale = Dictionary(vocabularies.map { (LocaleFallback.key($0.locale), $0) }) { $1 }
    }

    /// All vocabularies, sorted by locale.
    public var all: [GlobalVocabulary] { self.byLocale.values.sorted { $0.locale < $1.locale } }

    /// The vocabulary that has terms for a parameter in a language: that of the region, else of the language, else the
    /// default one.
    ///
    /// Each parameter is looked up separately, since a regional file holds only what differs.
    package func vocabulary(of parameter: String, locale: String) -> GlobalVocabulary? {
        LocaleFallback.keys(locale).lazy.compactMap { self.byLocale[$0] }.first { $0.covers(parameter) }
    }
}
