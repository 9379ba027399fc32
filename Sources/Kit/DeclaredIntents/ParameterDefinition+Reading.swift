import Foundation
import IntentKit

extension ParameterDefinition {
    static func read(_ json: JSONValue, at path: JSONPath) -> Result<ParameterDefinition, InvalidDefinition> {
        var reader = MemberReader(json, at: path, what: "a parameter")
        guard json.object != nil else { return .failure(InvalidDefinition(problems: reader.problems)) }
        let name = reader.name("name")
        let title = reader.localizedTexts("title")
        let type: DeclaredType? = reader.choice("type")
        if reader.value("type") == nil { reader.report("a type is required", "type") }
        let isList = reader.flag("list")
        let isRequired = reader.flag("required")
        let isSensitive = reader.flag("sensitive")
        let isSearchable = reader.flag("searchable")
        if isSensitive, isSearchable {
            reader.report("a sensitive parameter cannot be searchable: take out one of the two", "searchable")
        }
        let prompts = reader.localizedTexts("prompt")
        let dependsOn = Self.readDependencies(&reader)
        let any = reader.value("any")
        if any?.isNull == true || any?.array != nil { reader.report("one value is expected", "any") }
        let vocabulary = Self.readVocabulary(type, &reader)
        let reasons = Self.readReasons(&reader)
        // Without a type the members that follow cannot be checked, but they are known.
        reader.know("values", "default", "minimum", "maximum", "pattern")
        reader.finish()
        guard let type else { return .failure(InvalidDefinition(problems: reader.problems)) }
        let minimum = Self.readBound("minimum", type, &reader)
        let maximum = Self.readBound("maximum", type, &reader)
        if let minimum, let maximum {
            switch type.compare(minimum, maximum) {
            case .orderedDescending?: reader.report("the maximum is less than the minimum", "maximum")
            case nil: reader.report("the maximum is in another currency than the minimum", "maximum")
            case .orderedAscending?, .orderedSame?: break
            }
        }
        var parameter = ParameterDefinition(
            name: name ?? "",
            title: title.isEmpty ? nil : LocalizedText(title),
            type: type,
            isList: isList,
            isRequired: isRequired,
            any: any,
            defaultValue: nil,
            minimum: minimum,
            maximum: maximum,
            isSensitive: isSensitive,
            isSearchable: isSearchable,
            prompts: prompts,
            vocabulary: vocabulary,
            dependsOn: dependsOn,
            reasons: reasons,
            allowed: nil,
            textPattern: Self.readPattern(type, &reader)
        )
        parameter.readValues(&reader)
        // A default is only checked when the rules themselves are right.
        if reader.problems.isEmpty { parameter.defaultValue = parameter.readDefault(&reader) }
        return reader.problems.isEmpty ? .success(parameter) : .failure(InvalidDefinition(problems: reader.problems))
    }

    private static func readVocabulary(_ type: DeclaredType?, _ reader: inout MemberReader) -> ParameterVocabulary? {
        guard let name = reader.string("vocabulary") else { return nil }
        guard let vocabulary = ParameterVocabulary(name) else {
            let names = ["global"] + VocabularyStringType.allCases.map(\.rawValue)
            reader.report("\(ShownText.of(name)) is not one of \(names.joined(separator: ", "))", "vocabulary")
            return nil
        }
        if let type, type != .string && type != .person {
            reader.report(
                "only a string or a person is looked up in vocabularies, not a \(type.rawValue)",
                "vocabulary"
            )
        }
        return vocabulary
    }

    private static func readReasons(_ reader: inout MemberReader) -> [String: Int] {
        guard let value = reader.value("reasons") else { return [:] }
        guard let members = value.object else {
            reader.report("an object of numbers by name is expected, not \(value.kind)", "reasons")
            return [:]
        }
        var reasons: [String: Int] = [:]
        for (name, json) in members.sorted(by: { $0.key < $1.key }) {
            let path = reader.path.appending("reasons").appending(name)
            guard let number = Int(json: json), number >= 10 else {
                reader.report("a number from 10 is expected: lower ones are intentd's own reasons", at: path)
                continue
            }
            if let other = reasons.first(where: { $0.value == number })?.key {
                reader.report("\(number) is already the number of \(other)", at: path)
            }
            reasons[name] = number
        }
        return reasons
    }

    private static func readDependencies(_ reader: inout MemberReader) -> Set<String> {
        var names: Set<String> = []
        for (index, value) in (reader.array("dependsOn") ?? []).enumerated() {
            if let name = value.string {
                names.insert(name)
            } else {
                let path = reader.path.appending("dependsOn").appending(index)
                reader.report("the name of a parameter is expected, not \(value.kind)", at: path)
            }
        }
        return names
    }

    private static func readBound(_ key: String, _ type: DeclaredType, _ reader: inout MemberReader) -> JSONValue? {
        guard let value = reader.value(key) else { return nil }
        guard type.isOrdered else {
            reader.report("values of type \(type.rawValue) have no order", key)
            return nil
        }
        let bound = type.canonical(value)
        if bound == nil { reader.report("this is not a \(type.rawValue)", key) }
        return bound
    }

    private static func readPattern(_ type: DeclaredType, _ reader: inout MemberReader) -> TextPattern? {
        guard let source = reader.string("pattern") else { return nil }
        guard type == .string else {
            reader.report("only a string can match a pattern, not a \(type.rawValue)", "pattern")
            return nil
        }
        do throws(PatternProblem) {
            return try TextPattern(source)
        } catch {
            reader.report(
                "\(ShownText.of(source)) is not a regular expression that can be used: \(error.message)",
                "pattern"
            )
            return nil
        }
    }

    private mutating func readValues(_ reader: inout MemberReader) {
        guard let elements = reader.array("values") else { return }
        if elements.isEmpty { reader.report("at least one value is expected", "values") }
        var values: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            let path = reader.path.appending("values").appending(index)
            let (json, display) = Self.readWords(element, at: path, &reader)
            guard let value = self.type.canonical(json), !self.type.isMissing(value) else {
                reader.report("this is not a \(self.type.rawValue)", at: path)
                continue
            }
            if let display { self.displays[value] = display }
            if let reason = self.reason(against: value) {
                reader.report("this value breaks the parameter's own rules: \(reason.name)", at: path)
            }
            values.append(value)
        }
        let repeated = Dictionary(grouping: values.indices) { values[$0] }.values.filter { $0.count > 1 }
        if let index = repeated.map({ $0[1] }).min() {
            reader.report("value \(index + 1) is listed twice", "values")
        }
        self.allowed = AllowedValues(values, displays: self.displays, words: self.type.words)
    }

    /// Reads an element of `values`: a value, or an object with the value and its words.
    private static func readWords(
        _ json: JSONValue,
        at path: JSONPath,
        _ reader: inout MemberReader
    ) -> (value: JSONValue, DisplayRepresentation?) {
        // No type has values with such a member.
        guard let value = json["value"] else { return (json, nil) }
        var element = MemberReader(json, at: path, what: "a value")
        element.know("value")
        let title = element.displayText("title")
        if element.value("title") == nil { element.report("a title is required", "title") }
        let subtitle = element.displayText("subtitle")
        let image = element.string("image").map { DisplayRepresentation.Image.url($0) }
        if let image, !image.isAllowed {
            let form = "an address that begins with https:, http: or data:"
            let limit = DisplayRepresentation.maximumImageBytes
            element.report("\(form) is expected, of at most \(limit) bytes", "image")
        }
        let synonyms = element.synonyms("synonyms")
        element.finish()
        reader.report(element.problems)
        let display = title.map {
            DisplayRepresentation(title: $0, subtitle: subtitle, image: image, synonyms: synonyms)
        }
        return (value, display)
    }

    /// The default in its canonical form; a default that its own parameter would refuse is a problem.
    private func readDefault(_ reader: inout MemberReader) -> JSONValue? {
        guard let value = reader.value("default") else { return nil }
        if self.isRequired {
            reader.report("the user is asked for a required parameter, so its default would never be used", "default")
        }
        if self.isMissing(value) {
            reader.report("the default counts as missing", "default")
            return nil
        }
        let path = reader.path.appending("default")
        guard self.isList else { return self.settled(value, at: path, &reader) }
        guard let values = value.array else {
            reader.report("a list is expected, not \(value.kind)", at: path)
            return nil
        }
        return .array(values.enumerated().compactMap { self.settled($1, at: path.appending($0), &reader) })
    }

    private func settled(_ value: JSONValue, at path: JSONPath, _ reader: inout MemberReader) -> JSONValue? {
        switch self.outcome(forOne: value, .nobody) {
        case .success(let settled): return settled
        case .unsupported(let reason):
            reader.report("this is not a valid value: \(reason?.name ?? "unsupported")", at: path)
        case .disambiguation(let options):
            let names = options.map { ShownText.of($0.value.description) }.joined(separator: ", ")
            reader.report("this is not a valid value; did you mean \(names)?", at: path)
        case .notRequired, .needsValue, .confirmationRequired, .saying, .ending:
            reader.report("this is not a valid value", at: path)
        }
        return nil
    }
}
