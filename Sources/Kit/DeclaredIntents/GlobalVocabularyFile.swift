package import IntentKit

/// The content of an `AppIntentVocabulary` file, with everything that is wrong in it (R36).
///
/// The structure is Apple's, whatever the file's format: `ParameterVocabularies` and `IntentPhrases` at the top.
/// Only if ``problems`` is empty does ``terms`` hold all of it.
package struct GlobalVocabularyFile: Sendable {
    /// The entries by the path of their parameter, in the file's order.
    package private(set) var terms: [String: [VocabularyTerm]] = [:]
    /// How users ask for an intent, by the intent's name.
    package private(set) var intentExamples: [String: [String]] = [:]
    /// Where each parameter's path is first named.
    package private(set) var paths: [String: JSONPath] = [:]
    /// What is wrong, in the file's order.
    package private(set) var problems: [DefinitionProblem] = []

    /// The most entries that a parameter may have.
    static let maximumCount = 10_000

    package init(_ json: JSONValue) {
        let top = JSONPath()
        var reader = MemberReader(json, at: top, what: "a vocabulary")
        let vocabularies = reader.array("ParameterVocabularies") ?? []
        let phrases = reader.array("IntentPhrases") ?? []
        reader.finish()
        self.problems = reader.problems
        for (index, vocabulary) in vocabularies.enumerated() {
            self.readVocabulary(vocabulary, at: top.appending("ParameterVocabularies").appending(index))
        }
        for (index, phrase) in phrases.enumerated() {
            self.readPhrases(phrase, at: top.appending("IntentPhrases").appending(index))
        }
    }

    private mutating func readVocabulary(_ json: JSONValue, at path: JSONPath) {
        var reader = MemberReader(json, at: path, what: "a parameter's vocabulary")
        let names = Self.readNames(&reader)
        let items = reader.array("ParameterVocabulary")
        if items == nil, reader.value("ParameterVocabulary") == nil, json.object != nil {
            reader.report("the terms are required", "ParameterVocabulary")
        }
        reader.finish()
        self.problems += reader.problems
        var terms: [VocabularyTerm] = []
        var identifiers: [String: JSONPath] = [:]
        for (index, item) in (items ?? []).enumerated() {
            let itemPath = path.appending("ParameterVocabulary").appending(index)
            guard let term = self.readItem(item, at: itemPath), let identifier = term.identifier else { continue }
            if let other = identifiers[identifier] {
                self.report(
                    "\(ShownText.of(identifier)) is described twice, first at \(other): give one entry all its synonyms",
                    itemPath
                )
            }
            identifiers[identifier] = identifiers[identifier] ?? itemPath
            terms.append(term)
        }
        for (name, itemPath) in names {
            self.terms[name, default: []] += terms
            self.paths[name] = self.paths[name] ?? itemPath
            if self.terms[name]?.count ?? 0 > Self.maximumCount {
                self.report("\(ShownText.of(name)) has more than \(Self.maximumCount) entries", itemPath)
            }
        }
    }

    /// The parameters' paths, under today's key or that of iOS 10: `ParameterNames`, or `ParameterVocabularyName` for a
    /// single one.
    private static func readNames(_ reader: inout MemberReader) -> [(String, JSONPath)] {
        var names: [(JSONValue, JSONPath)] = []
        let listed = reader.path.appending("ParameterNames")
        if let array = reader.array("ParameterNames") {
            names = array.enumerated().map { ($1, listed.appending($0)) }
            if names.isEmpty { reader.report("at least one name is expected", at: listed) }
        }
        if let name = reader.value("ParameterVocabularyName") {
            names.append((name, reader.path.appending("ParameterVocabularyName")))
        } else if names.isEmpty, reader.value("ParameterNames") == nil {
            reader.report("a list of names such as INStartWorkoutIntent.workoutName is required", at: listed)
        }
        var found: [(String, JSONPath)] = []
        for (name, itemPath) in names {
            let parts = name.string?.split(separator: ".", omittingEmptySubsequences: false) ?? []
            if let text = name.string, parts.count >= 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) {
                found.append((text, itemPath))
            } else {
                reader.report(
                    "\(ShownText.of(name)) is not a parameter's path such as INStartWorkoutIntent.workoutName",
                    at: itemPath
                )
            }
        }
        return found
    }

    private mutating func readItem(_ json: JSONValue, at path: JSONPath) -> VocabularyTerm? {
        var reader = MemberReader(json, at: path, what: "a term")
        let identifier = reader.vocabularyString("VocabularyItemIdentifier")
        if json.object != nil, reader.value("VocabularyItemIdentifier") == nil {
            reader.report("an identifier is required", "VocabularyItemIdentifier")
        }
        var phrases: [VocabularyTerm.Phrase] = []
        // Files of Xcode 8 have the first phrase beside the identifier.
        if json["VocabularyItemPhrase"] != nil { reader.readPhrase(into: &phrases) }
        let synonyms = reader.array("VocabularyItemSynonyms") ?? []
        for (index, synonym) in synonyms.enumerated() {
            let itemPath = path.appending("VocabularyItemSynonyms").appending(index)
            var inner = MemberReader(synonym, at: itemPath, what: "a synonym")
            if synonym.object != nil { inner.readPhrase(into: &phrases) }
            inner.finish()
            reader.report(inner.problems)
        }
        if json.object != nil, phrases.isEmpty, reader.problems.isEmpty {
            reader.report("at least one phrase is required", "VocabularyItemSynonyms")
        }
        reader.finish()
        self.problems += reader.problems
        guard let identifier, !phrases.isEmpty else { return nil }
        return VocabularyTerm(identifier: identifier, phrases: phrases)
    }

    private mutating func readPhrases(_ json: JSONValue, at path: JSONPath) {
        var reader = MemberReader(json, at: path, what: "an intent's phrases")
        let name = reader.string("IntentName")
        if json.object != nil, reader.value("IntentName") == nil {
            reader.report("the intent's name is required", "IntentName")
        }
        let examples = reader.examples("IntentExamples")
        reader.finish()
        self.problems += reader.problems
        if let name { self.intentExamples[name, default: []] += examples }
    }

    private mutating func report(_ message: String, _ path: JSONPath) {
        self.problems.append(DefinitionProblem(path: path, message: message))
    }
}

extension MemberReader {
    /// A string of a vocabulary: not empty, and no longer than Siri allows (R37).
    fileprivate mutating func vocabularyString(_ key: String) -> String? {
        guard let text = self.string(key) else { return nil }
        let bytes = text.utf16.count * 2
        if bytes > VocabularyEntry.maximumUTF16Bytes {
            self.report(
                "the text has \(bytes) bytes of UTF-16; \(VocabularyEntry.maximumUTF16Bytes) at most are allowed (R37)",
                key
            )
        }
        return text
    }

    /// A phrase with its pronunciation and examples.
    fileprivate mutating func readPhrase(into phrases: inout [VocabularyTerm.Phrase]) {
        let phrase = self.vocabularyString("VocabularyItemPhrase")
        if self.value("VocabularyItemPhrase") == nil { self.report("a phrase is required", "VocabularyItemPhrase") }
        let pronunciation = self.vocabularyString("VocabularyItemPronunciation")
        _ = self.examples("VocabularyItemExamples")
        if let phrase { phrases.append(VocabularyTerm.Phrase(phrase, pronunciation: pronunciation)) }
    }

    /// Sentences that show how something is said.
    fileprivate mutating func examples(_ key: String) -> [String] {
        var examples: [String] = []
        for (index, example) in (self.array(key) ?? []).enumerated() {
            if let text = example.string {
                examples.append(text)
            } else {
                self.report(
                    "a sentence is expected, not \(example.kind)",
                    at: self.path.appending(key).appending(index)
                )
            }
        }
        return examples
    }
}
