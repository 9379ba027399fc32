import IntentKit

/// The model of a parameter: the values that can be said, and what they mean.
struct ModelParameter: Sendable {
    /// The type of its values.
    enum Kind: Sendable {
        /// Any text.
        case text
        /// Two capital letters and three digits.
        case code
        /// One of these.
        case words([String])
        /// A whole number between these.
        case number(ClosedRange<Int>)
        /// Yes or no.
        case flag
        /// A day not before this one.
        case day(from: String)
    }

    /// The meaning of one value.
    enum Judgement: Hashable {
        /// It is accepted, in this form.
        case good(JSONValue)
        /// It is missing.
        case missing
        /// It is unsupported.
        case unsupported
        /// One of these is meant.
        case choice([String])
        /// The rules do not specify its meaning: it must not be said in a test.
        case unclear
    }

    var name: String
    var kind: Kind
    var isList = false
    var isRequired = false
    /// A value that is always valid.
    var any: String?
    var defaultValue: JSONValue?

    /// The meaning of one value (R21, R25, R50).
    func judge(_ value: JSONValue) -> Judgement {
        if case .string(let text) = value {
            if text.allSatisfy(\.isWhitespace), !self.isList, !self.isTypeOfNoText { return .missing }
            if let any = self.any, Words.key(any) == Words.key(text) { return .good(.string(any)) }
        }
        switch self.kind {
        case .text:
            return value.string == nil ? .unsupported : .good(value)
        case .code:
            guard let text = value.string else { return .unsupported }
            let letters = text.prefix(2).allSatisfy { ("A"..."Z").contains($0) }
            let digits = text.dropFirst(2).allSatisfy { ("0"..."9").contains($0) }
            return text.count == 5 && letters && digits ? .good(value) : .unsupported
        case .words(let words):
            guard let text = value.string else { return .unsupported }
            return Words.judge(text, among: words)
        case .number(let range):
            guard let number = Self.number(in: value) else { return .unsupported }
            return range.contains(number) ? .good(.integer(Int64(number))) : .unsupported
        case .flag:
            guard let flag = Self.flag(in: value) else { return .unsupported }
            return .good(.bool(flag))
        case .day(let first):
            guard let text = value.string.flatMap(Self.day) else { return .unsupported }
            return text >= first ? .good(.string(text)) : .unsupported
        }
    }

    /// Whether none of it has the parameter's type: then the resolver is not called.
    func isAllOfWrongType(_ value: JSONValue) -> Bool {
        if value.isNull { return false }
        guard self.isList, let list = value.array else { return self.hasWrongType(value) }
        return !list.isEmpty && list.allSatisfy(self.hasWrongType)
    }

    /// Whether one value is of another type than the parameter's (R25).
    func hasWrongType(_ value: JSONValue) -> Bool {
        if let any = self.any, let text = value.string, Words.key(any) == Words.key(text) { return false }
        switch self.kind {
        case .text, .code, .words: return value.string == nil
        case .number: return Self.number(in: value) == nil
        case .flag: return Self.flag(in: value) == nil
        case .day: return value.string.flatMap(Self.day) == nil
        }
    }

    /// Whether an empty text is only a value of the wrong type.
    private var isTypeOfNoText: Bool {
        switch self.kind {
        case .number, .flag, .day: true
        case .text, .code, .words: false
        }
    }

    /// The whole number in a value, also in words (R73).
    private static func number(in value: JSONValue) -> Int? {
        if let number = value.integer { return Int(number) }
        return value.string.flatMap { Int($0) ?? Self.numbers[$0] }
    }

    /// The numbers that the generator says in words.
    private static let numbers = ["five": 5, "twelve": 12, "twenty-one": 21]

    /// Yes or no in a value, also in words (R73).
    private static func flag(in value: JSONValue) -> Bool? {
        value.bool ?? (value == "yes" ? true : value == "no" ? false : nil)
    }

    /// The days that the generator says in words.
    private static let days = ["21 November 2026": "2026-11-21", "1 January 2027": "2027-01-01"]

    /// The day in a text, also in words (R73).
    private static func day(_ text: String) -> String? { Self.isDay(text) ? text : Self.days[text] }

    private static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-")
        guard text.count == 10, parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]) else {
            return false
        }
        // The generator says no other days than these.
        return (1...12).contains(month) && (1...28).contains(day)
    }

    /// The parameter as a file declares it.
    var definition: JSONValue {
        var members: JSONObject = ["name": .string(self.name)]
        switch self.kind {
        case .text: members["type"] = "string"
        case .code:
            members["type"] = "string"
            members["pattern"] = "[A-Z]{2}[0-9]{3}"
        case .words(let words):
            members["type"] = "string"
            members["values"] = .array(
                words.map { word in
                    guard let title = Sayings.titles[word] else { return .string(word) }
                    return ["value": .string(word), "title": .string(title)]
                }
            )
        case .number(let range):
            members["type"] = "integer"
            members["minimum"] = .integer(Int64(range.lowerBound))
            members["maximum"] = .integer(Int64(range.upperBound))
        case .flag: members["type"] = "boolean"
        case .day(let first):
            members["type"] = "date"
            members["minimum"] = .string(first)
        }
        if self.isList { members["list"] = true }
        if self.isRequired { members["required"] = true }
        members["any"] = self.any.map(JSONValue.string)
        members["default"] = self.defaultValue
        return .object(members)
    }
}
