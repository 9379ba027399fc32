/// The vocabularies' answer to a question, as the journal keeps it (R37, R42).
///
/// A turn that looks up three names among thousands is journaled with three entries, not with the vocabulary.
package struct VocabularyAnswer: Hashable, Sendable {
    /// The version of the user's vocabulary; nil when the user has none of that type.
    package var userVersion: String?
    /// The version of the global vocabulary; nil when there is none for that parameter, or it was not asked.
    package var globalVersion: String?
    /// The entries that the words mean, in order of importance.
    package var matches: [VocabularyMatch]

    /// Looks words up: the user's own vocabulary answers first, the global one when the user's has no match.
    package init(_ query: VocabularyQuery, user: UserVocabulary?, global: GlobalVocabularies) {
        self.userVersion = user?.version
        self.matches = user?.matches(query) ?? []
        guard self.matches.isEmpty, let parameter = query.parameter,
            let vocabulary = global.vocabulary(of: parameter, locale: query.locale)
        else { return }
        self.globalVersion = vocabulary.version
        self.matches = vocabulary.matches(query)
    }

    /// The journal's form.
    package func json(_ query: VocabularyQuery) -> JSONValue {
        .members([
            "words": .string(query.words),
            "user": self.userVersion.map(JSONValue.string),
            "global": self.globalVersion.map(JSONValue.string),
            "matches": .array(
                self.matches.map {
                    .members([
                        "index": .integer(Int64($0.index)),
                        "means": .string($0.means.rawValue),
                        "identifier": $0.identifier.map(JSONValue.string),
                        "phrase": .string($0.phrase),
                    ])
                }
            ),
        ])
    }

    /// Reads the journal's form; nil when it answers another question or is malformed.
    package init?(json: JSONValue, to query: VocabularyQuery) {
        guard json["words"]?.string == query.words, let matches = json["matches"]?.array else { return nil }
        self.userVersion = json["user"]?.string
        self.globalVersion = json["global"]?.string
        let isGlobal = self.globalVersion != nil
        let name = isGlobal ? query.parameter : query.type?.rawValue
        let version = self.globalVersion ?? self.userVersion
        self.matches = []
        for match in matches {
            guard let index = match["index"]?.integer, let phrase = match["phrase"]?.string,
                let means = match["means"]?.string.flatMap(VocabularyMatch.Means.init(rawValue:)),
                let name, let version
            else { return nil }
            self.matches.append(
                VocabularyMatch(
                    source: isGlobal ? .global : .user,
                    name: name,
                    version: version,
                    index: Int(index),
                    means: means,
                    identifier: match["identifier"]?.string,
                    phrase: phrase
                )
            )
        }
    }
}
