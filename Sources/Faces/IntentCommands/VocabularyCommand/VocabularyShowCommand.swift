import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd vocabulary show`: a user's own current words, or those that all users share.
struct VocabularyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a user's vocabularies; without a user, the global ones.",
        discussion:
            "Reads a user's vocabularies from the state topic, which needs a broker, and the global ones from files."
    )

    @Option(help: "The user's id.", transform: IdentityArgument.read)
    var user: String?

    @Option(help: "Only this type.", transform: VocabularySetCommand.type)
    var type: VocabularyStringType?

    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if self.user == nil, self.type != nil {
            throw ValidationError("--type needs --user")
        }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        guard let user else {
            let intents = try IntentSet(configuration)
            for vocabulary in intents.vocabularies.all { self.print(vocabulary) }
            if intents.vocabularies.all.isEmpty, !self.output.json {
                StandardOutput.print("\(configuration.text(.vocabularies) ?? "") holds no AppIntentVocabulary file")
            }
            return
        }
        let found = try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                return try await UserVocabularies.read(UserID(user), of: deployment, from: log)
            }
        let shown = found.filter { self.type == nil || $0.key == self.type }
            .sorted { $0.key.rawValue < $1.key.rawValue }
        if shown.isEmpty, !self.output.json {
            StandardOutput.print("\(user) has no vocabulary\(self.type.map { " of type \($0.rawValue)" } ?? "")")
        }
        for (type, vocabulary) in shown { self.print(vocabulary, type, user) }
    }

    private func print(_ vocabulary: UserVocabulary, _ type: VocabularyStringType, _ user: String) {
        if self.output.json {
            var members: JSONObject = ["user": .string(user), "type": .string(type.rawValue)]
            members.merge(vocabulary.json.object ?? [:]) { $1 }
            StandardOutput.print(.object(members))
            return
        }
        StandardOutput.print("\(type.rawValue)  \(vocabulary.entries.count) terms, version \(vocabulary.version)")
        var table = Table(">#", "PHRASE", "SOUNDS LIKE", "IDENTIFIER")
        for (index, entry) in vocabulary.entries.enumerated() {
            table.add("\(index)", entry.spokenPhrase, entry.pronunciationHint ?? "", entry.vocabularyIdentifier ?? "")
        }
        table.show(indent: "  ")
    }

    private func print(_ vocabulary: GlobalVocabulary) {
        if self.output.json {
            StandardOutput.print(vocabulary.json)
            return
        }
        for parameter in vocabulary.parameters {
            let terms = vocabulary.terms(of: parameter)
            StandardOutput.print("\(parameter)  \(terms.count) terms, version \(vocabulary.version)")
            var table = Table(">#", "IDENTIFIER", "PHRASE", "SOUNDS LIKE", "SYNONYMS")
            for (index, term) in terms.enumerated() {
                let synonyms = term.phrases.dropFirst().map(\.text).joined(separator: ", ")
                table.add(
                    "\(index)",
                    term.identifier ?? "",
                    term.phrases[0].text,
                    term.phrases[0].pronunciation ?? "",
                    synonyms
                )
            }
            table.show(indent: "  ")
        }
        for (intent, examples) in vocabulary.intentExamples.sorted(by: { $0.key < $1.key }) {
            StandardOutput.print("\(intent)  \(examples.map { "“\($0)”" }.joined(separator: ", "))")
        }
    }
}

extension GlobalVocabulary {
    /// All details, for programs.
    var json: JSONValue {
        let terms = self.parameters.map { parameter in
            let items = self.terms(of: parameter)
                .map { term in
                    JSONValue.members([
                        "identifier": term.identifier.map(JSONValue.string),
                        "phrases": .array(
                            term.phrases.map {
                                .members([
                                    "phrase": .string($0.text),
                                    "pronunciation": $0.pronunciation.map(JSONValue.string),
                                ])
                            }
                        ),
                    ])
                }
            return (parameter, JSONValue.array(items))
        }
        return [
            "locale": .string(self.locale), "version": .string(self.version),
            "parameters": .object(Dictionary(uniqueKeysWithValues: terms)),
            "intentExamples": .object(self.intentExamples.mapValues { .array($0.map(JSONValue.string)) }),
        ]
    }
}
