import IntentKit

/// Reads the members of an object one by one, gathers their problems, and finds the members left over.
struct MemberReader {
    let path: JSONPath
    private(set) var problems: [DefinitionProblem] = []

    /// The most unknown keys that are named: a file with more of them is none that was meant.
    private static let maximumUnknown = 20
    /// The most languages of one text.
    private static let maximumLanguages = 50

    private let members: JSONObject
    private var known: Set<String> = []

    /// Starts reading; a value that is no object is a problem and has no members.
    init(_ json: JSONValue, at path: JSONPath, what: String) {
        self.path = path
        self.members = json.object ?? [:]
        if json.object == nil { self.report("\(what) is an object, not \(json.kind)", at: path) }
    }

    mutating func report(_ message: String, _ key: String) {
        self.report(message, at: self.path.appending(key))
    }

    mutating func report(_ message: String, at path: JSONPath) {
        self.problems.append(DefinitionProblem(path: path, message: message))
    }

    /// Adds problems that were found inside a member.
    mutating func report(_ problems: [DefinitionProblem]) { self.problems += problems }

    /// The member, whatever its type; nil when it is missing.
    mutating func value(_ key: String) -> JSONValue? {
        self.known.insert(key)
        return self.members[key]
    }

    /// A string that is not empty.
    mutating func string(_ key: String) -> String? {
        guard let value = self.value(key) else { return nil }
        guard let text = value.string else {
            self.report("a string is expected, not \(value.kind)", key)
            return nil
        }
        if text.isMissing { self.report("the text is empty", key) }
        return text
    }

    /// A name: letters, digits, `_`, `.` and `-`, starting with a letter or `_`.
    mutating func name(_ key: String) -> String? {
        guard self.value(key) != nil else {
            self.report("a name is required", key)
            return nil
        }
        guard let name = self.string(key), !name.isMissing else { return nil }
        let isPlain = name.utf8.allSatisfy { byte in
            byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
        guard isPlain, let first = name.first, first.isLetter || first == "_", name.utf8.count <= 128 else {
            let rule = "a name has at most 128 letters, digits, _ . -, and starts with a letter or _"
            self.report(rule, key)
            return nil
        }
        return name
    }

    /// A boolean; false when it is missing.
    mutating func flag(_ key: String) -> Bool {
        guard let value = self.value(key) else { return false }
        guard let flag = value.bool else {
            self.report("true or false is expected, not \(value.kind)", key)
            return false
        }
        return flag
    }

    /// An array; nil when it is missing.
    mutating func array(_ key: String) -> [JSONValue]? {
        guard let value = self.value(key) else { return nil }
        guard let array = value.array else {
            self.report("an array is expected, not \(value.kind)", key)
            return nil
        }
        return array
    }

    /// One of the names of an enumeration.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) -> Choice? {
        guard let value = self.value(key) else { return nil }
        if let choice = value.string.flatMap(Choice.init(rawValue:)) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        self.report("\(ShownText.of(value)) is not one of \(names)", key)
        return nil
    }

    /// A duration within bounds, in seconds; nil when it is missing.
    mutating func duration(_ key: String, _ bounds: ClosedRange<Double>, _ expected: String) -> Duration? {
        guard let value = self.value(key) else { return nil }
        guard let seconds = TimeSpan(json: value)?.seconds, bounds.contains(Double(seconds)) else {
            self.report("a length of time \(expected)", key)
            return nil
        }
        return .milliseconds(Int64(Double(seconds) * 1_000))
    }

    /// An object of strings.
    mutating func texts(_ key: String) -> [String: String] {
        guard let value = self.value(key) else { return [:] }
        guard let members = value.object else {
            self.report("texts by language are expected, such as {en: …, de: …}, not \(value.kind)", key)
            return [:]
        }
        var texts: [String: String] = [:]
        for (name, text) in members.sorted(by: { $0.key < $1.key }) {
            let path = self.path.appending(key).appending(name)
            if let string = text.string, !string.isMissing {
                texts[name] = string
            } else {
                self.report("a text is expected, not \(text.string == nil ? text.kind : "an empty one")", at: path)
            }
        }
        return texts
    }

    /// A text for people: one for everybody, or an object of texts by locale; empty when it is missing.
    mutating func localizedTexts(_ key: String) -> [String: String] {
        if let text = self.value(key)?.string {
            if text.isMissing { self.report("a text is expected, not an empty one", key) }
            return ["": text]
        }
        let texts = self.texts(key)
        for locale in texts.keys.sorted() where !LocaleTag.isValid(locale) {
            let entryPath = self.path.appending(key).appending(locale)
            self.report("\(ShownText.of(locale)) is not a locale such as en or en-US", at: entryPath)
        }
        return texts
    }

    /// A text that people see of a value, within its limits; nil when it is missing.
    mutating func displayText(_ key: String) -> LocalizedText? {
        let texts = self.localizedTexts(key)
        self.checkSize(of: Array(texts.values), of: key)
        if texts.count > Self.maximumLanguages {
            self.report("\(texts.count) languages are given; \(Self.maximumLanguages) at most are expected", key)
        }
        return texts.isEmpty ? nil : LocalizedText(texts)
    }

    /// Other words for a value: a list, or lists by locale; the n-th of each locale are one synonym.
    mutating func synonyms(_ key: String) -> [LocalizedText] {
        guard let value = self.value(key) else { return [] }
        let lists = value.object ?? JSONObject([(key: "", value: value)])
        var synonyms: [[String: String]] = []
        for (locale, list) in lists {
            let path = locale.isEmpty ? self.path.appending(key) : self.path.appending(key).appending(locale)
            if !locale.isEmpty, !LocaleTag.isValid(locale) {
                self.report("\(ShownText.of(locale)) is not a locale such as en or en-US", at: path)
            }
            let texts = (list.array ?? []).compactMap(\.string).filter { !$0.isMissing }
            guard let elements = list.array, elements.count == texts.count else {
                self.report("a list of texts is expected, or such lists by language", at: path)
                continue
            }
            self.checkSize(of: texts, of: key)
            for (index, text) in texts.enumerated() {
                if index == synonyms.count { synonyms.append([:]) }
                synonyms[index][locale] = text
            }
        }
        if synonyms.count > DisplayRepresentation.maximumSynonyms {
            let limit = DisplayRepresentation.maximumSynonyms
            self.report("\(synonyms.count) synonyms are given; \(limit) at most are expected", key)
        }
        return synonyms.map { LocalizedText($0) }
    }

    private mutating func checkSize(of texts: [String], of key: String) {
        let limit = DisplayRepresentation.maximumTextBytes
        if texts.contains(where: { $0.utf8.count > limit }) {
            self.report("a text of at most \(limit) bytes is expected", key)
        }
    }

    /// Marks members as known that are read later or not at all.
    mutating func know(_ keys: String...) { self.known.formUnion(keys) }

    /// Ends reading: every member that was not read is a problem.
    mutating func finish() {
        let known = self.known.sorted()
        let names = known.joined(separator: ", ")
        let unknown = self.members.keys.filter { !self.known.contains($0) }.sorted()
        for key in unknown.prefix(Self.maximumUnknown) {
            self.report("unknown key; known are \(names)\(NearMiss.hint(key, among: known))", key)
        }
        if unknown.count > Self.maximumUnknown {
            self.report("\(unknown.count - Self.maximumUnknown) more unknown keys", at: self.path)
        }
    }
}
