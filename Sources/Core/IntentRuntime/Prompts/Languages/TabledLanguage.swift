internal import IntentKit

/// A language in which the gender of a title is not known: the title is in quotation marks, and the sentences are in
/// tables.
struct TabledLanguage: BuiltInLanguage {
    let sentences: [PromptSentence: String]
    let yesAndNo: (String, String)
    /// The question for each topic, with `{parameter}`; that for a choice also with `{options}`.
    let questions: [QuestionTopic: String]
    /// The question for one of many values.
    let anyChoice: String
    /// The question which of several is meant, with `{options}`.
    let choice: String
    /// The words with which titles begin that are questions by themselves, and the words before such a title.
    let asking: (words: Set<String>, before: String)
    /// The word for a value of each topic.
    let kinds: [QuestionTopic: String]
    /// The sentences for refused values, with `{item}`, `{kind}`, `{minimum}`, `{maximum}`, `{reason}`.
    let refusals: [RefusalSentence: String]
    /// The word for a value without words.
    let that: String

    enum RefusalSentence: Hashable, CaseIterable {
        case wrongType
        case notAmongValues
        /// It is below the minimum.
        case tooLittle
        /// It is above the maximum.
        case tooMuch
        /// It is before the earliest.
        case tooEarly
        /// It is after the latest.
        case tooLate
        case patternMismatch
        case currencyNotSupported
        /// The handler has a reason of its own, or none.
        case other
    }

    func question(for asked: AskedParameter) -> String {
        if asked.title.hasSuffix("?") { return asked.title }
        let first = asked.title.split(whereSeparator: \.isWhitespace).first?.lowercased() ?? ""
        if self.asking.words.contains(first) {
            let title = asked.title.prefix(1).lowercased() + asked.title.dropFirst()
            return Self.filled(self.asking.before, ["parameter": title])
        }
        let options = asked.topic == .choice ? asked.options(self.sentences[.or] ?? "") : nil
        let question = asked.topic == .choice && options == nil ? self.anyChoice : self.questions[asked.topic]
        return Self.filled(question ?? "", ["parameter": asked.title, "options": options ?? ""])
    }

    func choice(of asked: AskedParameter, among options: String) -> String {
        Self.filled(self.choice, ["options": options, "parameter": asked.title])
    }

    func refusal(of item: String?, as asked: AskedParameter, _ refusal: Refusal) -> String {
        let isInTime = asked.topic.isInTime
        var reason = ""
        let sentence: RefusalSentence
        switch refusal {
        case .wrongType: sentence = .wrongType
        case .notAmongValues: sentence = .notAmongValues
        case .belowMinimum where asked.minimum != nil: sentence = isInTime ? .tooEarly : .tooLittle
        case .aboveMaximum where asked.maximum != nil: sentence = isInTime ? .tooLate : .tooMuch
        case .belowMinimum, .aboveMaximum: sentence = .other
        case .patternMismatch: sentence = .patternMismatch
        case .currencyNotSupported: sentence = .currencyNotSupported
        case .other(let why):
            sentence = .other
            reason = why.map { " (\($0))" } ?? ""
        }
        let text = Self.filled(
            self.refusals[sentence] ?? "",
            [
                "item": item ?? self.that, "kind": self.kinds[asked.topic] ?? "", "reason": reason,
                "minimum": asked.minimum ?? "", "maximum": asked.maximum ?? "",
            ]
        )
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func filled(_ template: String, _ words: [String: String]) -> String {
        PromptTemplate(template).filled { words[$0] }
    }
}
