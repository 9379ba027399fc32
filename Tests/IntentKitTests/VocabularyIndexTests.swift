import IntentKit
import IntentLab
import Testing

@Suite("R25, R36: looking up words")
struct VocabularyIndexTests {
    private static let workouts = GlobalVocabulary(
        locale: "en",
        digest: "d",
        terms: [
            "INStartWorkoutIntent.workoutName": [
                VocabularyTerm(
                    identifier: "ultimate-run",
                    phrases: [.init("Ultimate Run", pronunciation: "ull tim it run"), .init("big run")]
                ),
                VocabularyTerm(identifier: "crunches", phrases: [.init("Crunches"), .init("sit ups")]),
                VocabularyTerm(identifier: "hill", phrases: [.init("Hill run"), .init("Big Run")]),
            ]
        ]
    )

    private func ask(
        _ words: String,
        _ parameter: String = "INStartWorkoutIntent.workoutName",
        of vocabulary: GlobalVocabulary = Self.workouts,
        locale: String = "en-US"
    ) -> [String] {
        vocabulary.matches(VocabularyQuery(words: words, type: nil, parameter: parameter, locale: locale))
            .map { "\($0.index) \($0.means.rawValue) \($0.identifier ?? "-")" }
    }

    @Test(
        "An entry is found by identifier, phrase, synonym and pronunciation (R25, behaviour 72)",
        arguments: [
            ("ultimate-run", ["0 identifier ultimate-run"]), ("ULTIMATE-RUN", ["0 identifier ultimate-run"]),
            ("ultimate  RUN", ["0 phrase ultimate-run"]), ("Ull tim it run", ["0 pronunciation ultimate-run"]),
            ("sit-ups", []), ("Sit Ups", ["1 synonym crunches"]),
            ("big run", ["0 synonym ultimate-run", "2 synonym hill"]), ("", []), ("   ", []), ("run", []),
        ]
    )
    func findsEntryByEveryName(words: String, expected: [String]) { #expect(self.ask(words) == expected) }

    @Test("A parameter is named by its path, and its words belong to no other (R36, behaviour 73)")
    func findsWordsByParameterPath() {
        #expect(self.ask("crunches", "INStartWorkoutIntent.goalValue").isEmpty)
        #expect(self.ask("crunches", "INEndWorkoutIntent.workoutName").isEmpty)
        #expect(Self.workouts.parameters == ["INStartWorkoutIntent.workoutName"])
    }

    @Test(
        "A region's file answers for what it covers, else the language's, else the default one (R36)",
        arguments: [
            ("de-AT", "a.b", "de-AT:1"), ("de_at", "a.b", "de-AT:1"), ("de-CH", "a.b", "de:2"),
            ("de-AT", "a.c", "de:2"),
            ("fr", "a.b", "default:3"), ("de", "a.d", "default:3"), ("", "a.b", "default:3"),
        ]
    )
    func fallsBackFromRegionToLanguageToDefault(locale: String, parameter: String, version: String) {
        func vocabulary(_ locale: String, _ digest: String, _ parameters: [String]) -> GlobalVocabulary {
            let term = VocabularyTerm(identifier: "i", phrases: [.init("p")])
            return GlobalVocabulary(
                locale: locale,
                digest: digest,
                terms: Dictionary(uniqueKeysWithValues: parameters.map { ($0, [term]) })
            )
        }
        let all = GlobalVocabularies([
            vocabulary("de-AT", "1", ["a.b"]), vocabulary("de", "2", ["a.b", "a.c"]),
            vocabulary("", "3", ["a.b", "a.c", "a.d"]),
        ])
        #expect(all.vocabulary(of: parameter, locale: locale)?.version == version)
        #expect(all.vocabulary(of: "a.e", locale: locale) == nil)
    }

    @Test(
        "Where a language spells a letter in two ways, both are found, and only there (R25)",
        arguments: [
            ("Müller", "Mueller", "de", true), ("Mueller", "Müller", "de-AT", true), ("Müller", "Muller", "de", true),
            ("Mueller", "Müller", "en", false), ("Århus", "Aarhus", "da-DK", true),
            ("Sørensen", "Soerensen", "nb", true),
            ("Işık", "ISIK", "tr", true), ("たろう", "タロウ", "ja", true), ("Samuel", "Samul", "de", false),
            ("Strauss", "Strauß", "en", true),
        ]
    )
    func matchesSpellingVariantsOfLanguage(entry: String, words: String, locale: String, isFound: Bool) {
        let vocabulary = UserVocabulary(version: "1", entries: [VocabularyEntry(spokenPhrase: entry)])
        let query = VocabularyQuery(words: words, type: .contactName, parameter: nil, locale: locale)
        #expect(!vocabulary.matches(query).isEmpty == isFound)
    }

    @Test("Words that equal an identifier mean that entity, whatever others are called")
    func exactIdentifierComesFirst() {
        let entries = [
            VocabularyEntry(spokenPhrase: "a1", vocabularyIdentifier: "x"),
            VocabularyEntry(spokenPhrase: "Anna", vocabularyIdentifier: "a1"),
        ]
        let vocabulary = UserVocabulary(version: "1", entries: entries)
        func identifiers(_ words: String) -> [String?] {
            vocabulary.matches(VocabularyQuery(words: words, type: .contactName, parameter: nil, locale: "en"))
                .map(\.identifier)
        }
        #expect(identifiers("a1") == ["a1"])
        #expect(identifiers("A1") == ["x", "a1"])
    }

    @Test("An entry is found once, by the first of its phrases that matches (R25)", arguments: 0..<50)
    func findsEachEntryOnce(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let words = ["run", "Run", " RUN ", "r\u{FA}n", "hill", "HILL", "big run", "BigRun", ""]
        let terms = (0..<numbers.below(6) + 1)
            .map { _ in
                VocabularyTerm(
                    identifier: numbers.coin() ? numbers.pick(words) : nil,
                    phrases: (0...numbers.below(3))
                        .map { _ in
                            .init(numbers.pick(words), pronunciation: numbers.oneIn(3) ? numbers.pick(words) : nil)
                        }
                )
            }
        let index = VocabularyIndex(terms)
        for asked in words {
            // Term by term, text by text.
            let exact = terms.indices.filter { terms[$0].identifier == asked }.map { "\($0) identifier" }
            let found = terms.indices.compactMap { position -> String? in
                var texts = terms[position].identifier.map { [("identifier", $0)] } ?? []
                for (ordinal, phrase) in terms[position].phrases.enumerated() {
                    texts.append((ordinal == 0 ? "phrase" : "synonym", phrase.text))
                    if let sound = phrase.pronunciation { texts.append(("pronunciation", sound)) }
                }
                let key = asked.matchingKey
                return texts.first { !key.isEmpty && $0.1.matchingKey == key }.map { "\(position) \($0.0)" }
            }
            let matches = index.matches(of: asked, locale: "en").map { "\($0.index) \($0.means.rawValue)" }
            #expect(matches == (exact.isEmpty ? found : exact), "\(asked.debugDescription) in \(terms)")
        }
    }

    @Test("A journaled answer answers the same query again, and no other")
    func journaledAnswerAnswersSameQueryOnly() throws {
        let user = UserVocabulary(version: "requests/0/7", entries: [VocabularyEntry(spokenPhrase: "Anna")])
        let shared = GlobalVocabularies([Self.workouts])
        for (words, source) in [("anna", "user"), ("crunches", "global"), ("nobody", "")] {
            let query = VocabularyQuery(
                words: words,
                type: .workoutActivityName,
                parameter: "INStartWorkoutIntent.workoutName",
                locale: "en"
            )
            let answer = VocabularyAnswer(query, user: user, global: shared)
            #expect(answer.matches.first?.source.rawValue ?? "" == source)
            #expect(VocabularyAnswer(json: answer.json(query), to: query) == answer)
            var other = query
            other.words = "another"
            #expect(VocabularyAnswer(json: answer.json(query), to: other) == nil)
        }
    }
}
