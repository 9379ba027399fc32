package import IntentKit

/// The texts of prompts in one language from a file, with everything that is wrong in it (R50).
package struct PromptFile: Sendable {
    /// A name in a file that the program must know.
    package struct Naming: Sendable {
        package var intent: String
        /// The intent's parameter; nil for the intent itself.
        package var parameter: String?
        /// Whether it is the name in a placeholder, whose value will be spoken.
        package var isSaid: Bool
        /// The path of the name.
        package var path: JSONPath
    }

    package private(set) var language = PromptTexts.Language()
    /// The intents and parameters that it names.
    package private(set) var namings: [Naming] = []
    /// What is wrong, in the file's order.
    package private(set) var problems: [DefinitionProblem] = []

    package init(_ json: JSONValue) {
        var reader = MemberReader(json, at: JSONPath(), what: "a file of prompts")
        let sentences = reader.value("sentences")
        self.language.reasons = reader.texts("reasons")
        let intents = reader.value("intents")
        reader.finish()
        self.problems = reader.problems
        if let sentences {
            var inner = MemberReader(sentences, at: JSONPath().appending("sentences"), what: "sentences")
            self.language.sentences = self.readSentences(&inner, PromptSentence.allCases, intent: nil)
            self.close(&inner)
        }
        guard let intents else { return }
        let path = JSONPath().appending("intents")
        guard let members = intents.object else {
            self.problems.append(DefinitionProblem(path: path, message: "intents is an object of intents by name"))
            return
        }
        for (name, json) in members.sorted(by: { $0.key < $1.key }) {
            self.readIntent(name, json, path.appending(name))
        }
    }

    private mutating func readIntent(_ name: String, _ json: JSONValue, _ path: JSONPath) {
        self.namings.append(Naming(intent: name, parameter: nil, isSaid: false, path: path))
        var texts = PromptTexts.IntentTexts()
        var reader = MemberReader(json, at: path, what: "an intent's texts")
        texts.title = reader.string("title")
        texts.sentences = self.readSentences(&reader, PromptSentence.ofIntents, intent: name)
        let parameters = reader.value("parameters")
        self.close(&reader)
        let parametersPath = path.appending("parameters")
        if let parameters, parameters.object == nil {
            let message = "parameters is an object of texts by name"
            self.problems.append(DefinitionProblem(path: parametersPath, message: message))
        }
        for (parameter, json) in (parameters?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
            let path = parametersPath.appending(parameter)
            self.namings.append(Naming(intent: name, parameter: parameter, isSaid: false, path: path))
            var own = PromptTexts.ParameterTexts()
            var reader = MemberReader(json, at: path, what: "a parameter's texts")
            own.title = reader.string("title")
            own.sentences = self.readSentences(&reader, PromptSentence.ofParameters, intent: name)
            self.close(&reader)
            texts.parameters[parameter] = own
        }
        self.language.intents[name] = texts
    }

    private mutating func readSentences(
        _ reader: inout MemberReader,
        _ known: [PromptSentence],
        intent: String?
    ) -> [PromptSentence: String] {
        var sentences: [PromptSentence: String] = [:]
        for sentence in known {
            guard let text = reader.string(sentence.rawValue) else { continue }
            sentences[sentence] = text
            let template = PromptTemplate(text)
            let path = reader.path.appending(sentence.rawValue)
            if let problem = template.problem { reader.report(problem, at: path) }
            for name in template.names where !sentence.placeholders.contains(name) {
                if let intent {
                    self.namings.append(Naming(intent: intent, parameter: name, isSaid: true, path: path))
                } else {
                    let names = sentence.placeholders.sorted().map { "{\($0)}" }.joined(separator: ", ")
                    let known = names.isEmpty ? "it has none" : "known are \(names)"
                    reader.report("{\(ShownText.of(name))} is not a placeholder here; \(known)", at: path)
                }
            }
        }
        return sentences
    }

    private mutating func close(_ reader: inout MemberReader) {
        reader.finish()
        self.problems += reader.problems
    }
}
