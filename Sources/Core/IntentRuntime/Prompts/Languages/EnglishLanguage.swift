internal import IntentKit

/// English: the question word follows from the topic, the rest from the title.
struct EnglishLanguage: BuiltInLanguage {
    private static let questionWords: Set<String> = [
        "how", "what", "when", "where", "whether", "which", "who", "whom", "whose", "why",
    ]
    private static let timeWords: Set<String> = [
        "date", "dates", "day", "days", "hour", "month", "time", "times", "week", "year", "period", "range",
    ]
    /// Words for things that are neither amounts, nor people, nor places, whatever the type.
    private static let plainWords: Set<String> = [
        "address", "amount", "budget", "cost", "duration", "fee", "length", "limit", "name", "price", "sum", "total",
    ]
    private static let counts: Set<String> = ["count", "number", "quantity"]

    let sentences: [PromptSentence: String] = [
        .confirmationRequired: "Do you mean {item}?", .intentConfirmation: "{title}: shall I go on?",
        .unlockRequired: "Unlock your device to go on.", .authenticationRequired: "Sign in to go on.",
        .retrying: "{title}: that doesn't work yet. I'll keep trying, and tell you how it ends.",
        .gaveUp: "{title}: I've tried several times, and it didn't work.",
        .undoing: "{title}: I'm undoing what was done.",
        .undone: "{title}: what was done has been undone.",
        .undoFailed: "{title}: not everything that was done could be undone.",
        .checking: "{title}: I'm not sure yet whether it worked. That is being checked, and I'll tell you.",
        .paused: "{title}: this isn't possible right now. I'll continue as soon as I can, and let you know.",
        .undecided: "{title}: I couldn't find out whether it worked.", .or: "or",
    ]
    let yesAndNo = ("yes", "no")

    func question(for asked: AskedParameter) -> String {
        if asked.title.hasSuffix("?") { return asked.title }
        if Self.isQuestion(asked.title) { return "Can you tell me \(Self.lowercasingFirst(asked.title))?" }
        let noun = EnglishNoun(asked.title)
        let isTime = Self.timeWords.contains(noun.head)
        let isPlain = isTime || Self.plainWords.contains(noun.head)
        let what = isTime && noun.words.count == 1 ? "What \(noun.text)?" : "What \(noun.verb) \(noun.definite)?"
        switch asked.topic {
        case .choice:
            return asked.options("or").map { "Which \(noun.bare): \($0)?" } ?? "Which \(noun.bare)?"
        case .yesOrNo:
            let words =
                ["is", "are", "has", "have"].contains(noun.words.first) ? noun.words.dropFirst() : noun.words[...]
            return Self.begun(words.joined(separator: " ")) + ", yes or no?"
        case .count, .number:
            if Self.counts.contains(noun.text) { return "How many?" }
            if let counted = noun.counted { return "How many \(counted)?" }
            return noun.isPlural ? "How many \(noun.bare)?" : what
        case .day, .time, .dayAndTime, .period: return isPlain ? what : "When \(noun.verb) \(noun.definite)?"
        case .duration:
            if noun.text == "duration" || noun.text == "length" { return "How long?" }
            return isPlain ? what : "How long \(noun.verb) \(noun.definite)?"
        case .amount:
            if noun.text == "amount" || noun.text == "currency amount" { return "How much?" }
            return isPlain ? what : "How much \(noun.verb) \(noun.definite)?"
        case .person: return isPlain ? what : "Who \(noun.verb) \(noun.definite)?"
        case .place: return isPlain ? what : "Where \(noun.verb) \(noun.definite)?"
        case .anything: return what
        }
    }

    func choice(of asked: AskedParameter, among options: String) -> String {
        if asked.topic == .person { return "Who do you mean: \(options)?" }
        guard !asked.title.hasSuffix("?"), !Self.isQuestion(asked.title) else {
            return "Which do you mean: \(options)?"
        }
        let noun = EnglishNoun(asked.title)
        return noun.isPlural ? "Which do you mean: \(options)?" : "Which \(noun.bare) do you mean: \(options)?"
    }

    func refusal(of item: String?, as asked: AskedParameter, _ refusal: Refusal) -> String {
        let item = item ?? "that"
        let (least, most) = (asked.minimum, asked.maximum)
        let sentence =
            switch refusal {
            case .wrongType: "I can't read \(item) as \(Self.kind(asked.topic))."
            case .notAmongValues: "I don't know \(item)."
            case .belowMinimum:
                "\(item) is too \(asked.topic.isInTime ? "early" : "little")"
                    + (least.map { ": \($0) at least." } ?? ".")
            case .aboveMaximum:
                "\(item) is too \(asked.topic.isInTime ? "late" : "much")" + (most.map { ": \($0) at most." } ?? ".")
            case .patternMismatch: "\(item) isn't written as it has to be."
            case .currencyNotSupported: "\(item) is in the wrong currency."
            case .other(let why): "I can't take \(item)" + (why.map { " (\($0))." } ?? ".")
            }
        return Self.begun(sentence)
    }

    /// The word for a value of that topic.
    private static func kind(_ topic: QuestionTopic) -> String {
        switch topic {
        case .yesOrNo: "yes or no"
        case .count: "a whole number"
        case .number: "a number"
        case .day: "a day"
        case .time: "a time"
        case .dayAndTime: "a day and a time"
        case .period: "a period"
        case .duration: "a length of time"
        case .amount: "an amount with its currency"
        case .person: "a person"
        case .place: "a place"
        case .choice: "one of these"
        case .anything: "an answer"
        }
    }

    /// Whether a title is a question by itself: `When you leave`.
    private static func isQuestion(_ title: String) -> Bool {
        title.split(whereSeparator: \.isWhitespace).first.map { Self.questionWords.contains($0.lowercased()) } ?? false
    }

    private static func begun(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
    private static func lowercasingFirst(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
