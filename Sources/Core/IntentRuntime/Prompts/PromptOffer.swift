package import IntentKit

/// The values that a prompt offers as options, and their words.
package struct PromptOffer {
    /// The values on the wire.
    package let options: [JSONValue]
    /// The options' words for this request, in the same order; nil where the declared ones count.
    private let own: [DisplayRepresentation?]
    private let isEnumeration: Bool
    /// The names of the enumeration's values; nil if every text counts as one.
    private let names: [JSONValue]?
    private let declared: [JSONValue: DisplayRepresentation]
    private let entityDisplay: (@Sendable (JSONValue) -> DisplayRepresentation?)?
    /// The type by which values are said; nil if they are said as they are on the wire.
    private let typeName: String?

    /// Prepares the values of a parameter.
    ///
    /// - Parameters:
    ///   - options: The values.
    ///   - displays: The options' words for this request, in the same order; empty for none.
    ///   - parameter: The parameter; nil for an unknown one.
    ///   - constraints: What is declared about its values.
    ///   - readsNames: Whether a text that is no name of a value is left as it is. Versions before behaviour 5 showed
    ///     every text as a name is shown, in lower case.
    ///   - saysValues: Whether dates, times, amounts and the like are said in the user's language. Versions before
    ///     behaviour 6 showed them as they are on the wire. Sensitive values are always shown so: masking finds them.
    package init(
        _ options: [JSONValue],
        displays: [DisplayRepresentation?] = [],
        of parameter: ParameterDescription?,
        _ constraints: ParameterConstraints?,
        readsNames: Bool = true,
        saysValues: Bool = true
    ) {
        self.options = options
        self.typeName = saysValues && parameter?.isSensitive != true ? parameter?.typeName : nil
        self.own = displays.count == options.count ? displays : options.map { _ in nil }
        self.names = readsNames ? constraints?.values : nil
        self.isEnumeration = parameter?.typeName == "enum"
        self.declared = constraints?.displays ?? [:]
        self.entityDisplay = constraints?.entityDisplay
    }

    /// The words of a value that the registry knows: those that are declared, or those of an entity.
    private func known(_ value: JSONValue) -> DisplayRepresentation? {
        self.declared[value] ?? self.entityDisplay?(value)
    }

    // MARK: What the user sees

    /// A value in words: its title, else its name as words, or what people say for a value of its type.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - locale: The user's language.
    /// - Returns: The words.
    package func words(_ value: JSONValue, locale: String) -> String {
        if let title = self.known(value)?.title.text(locale: locale) { return title }
        if let answer = value.bool {
            let (yes, no) = (BuiltInLanguages.language(locale) ?? BuiltInLanguages.english).yesAndNo
            return answer ? yes : no
        }
        if self.isEnumeration, let name = value.string, self.names?.contains(value) ?? true {
            return PromptWords.of(name: name)
        }
        return self.typeName.flatMap { ValueWords.of(value, typeName: $0, locale: locale) } ?? PromptWords.of(value)
    }

    /// What the user sees of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - own: Its words for this request; nil for the declared ones.
    ///   - locale: The user's language.
    /// - Returns: Its texts in that language, or else in another one (R63).
    package func display(of value: JSONValue, _ own: DisplayRepresentation?, locale: String) -> OptionDisplay {
        let display = own ?? self.known(value)
        return OptionDisplay(
            title: Self.text(own?.title, locale) ?? self.title(of: value, locale: locale),
            subtitle: Self.text(display?.subtitle, locale),
            image: display?.image,
            synonyms: (display?.synonyms ?? []).compactMap { $0.text(locale: locale) }.filter { !$0.isMissing }
        )
    }

    /// A text in a language, or else in another one; nil if there is none that says something.
    private static func text(_ text: LocalizedText?, _ locale: String) -> String? {
        (text?.text(locale: locale) ?? text?.anyText).flatMap { $0.isMissing ? nil : $0 }
    }

    /// The words of a value as a title, which is never empty and within the limit of titles.
    private func title(of value: JSONValue, locale: String) -> String {
        let display = DisplayRepresentation(title: LocalizedText(self.words(value, locale: locale)))
        return Self.text(display.title, locale) ?? "–"
    }

    /// What the user sees of the options, in order; those that would look the same have numbers in their titles.
    ///
    /// - Parameter locale: The user's language.
    /// - Returns: One for each option.
    package func displays(locale: String) -> [OptionDisplay] {
        var displays = self.unnumbered(locale: locale)
        var same: [OptionDisplay: [Int]] = [:]
        for (index, display) in displays.enumerated() {
            same[OptionDisplay(title: display.title, subtitle: display.subtitle), default: []].append(index)
        }
        for indices in same.values where indices.count > 1 {
            for (number, index) in indices.enumerated() { displays[index].title += " (\(number + 1))" }
        }
        return displays
    }

    private func unnumbered(locale: String) -> [OptionDisplay] {
        zip(self.options, self.own).map { self.display(of: $0, $1, locale: locale) }
    }

    /// The options as a dialog names them: by title, and with the subtitle where several have that title.
    ///
    /// - Parameter locale: The user's language.
    /// - Returns: One text for each option.
    func spoken(locale: String) -> [String] {
        let titles = self.unnumbered(locale: locale).map(\.title)
        let counts = titles.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        return zip(self.displays(locale: locale), titles)
            .map { display, title in
                guard counts[title] ?? 0 > 1, display.title == title, let subtitle = display.subtitle else {
                    return display.title
                }
                return "\(title) (\(subtitle))"
            }
    }

    // MARK: What the user calls them

    /// The options that the user means by a value: those that the first of R71's rules finds that finds any.
    ///
    /// - Parameters:
    ///   - value: The value of an answer.
    ///   - locale: The user's language.
    /// - Returns: The indices of the options; empty where the value means none of them.
    package func options(meantBy value: JSONValue, locale: String) -> [Int] {
        if let index = self.options.firstIndex(of: value) { return [index] }
        // Where numbers are offered, a number means itself.
        let isNumbered = self.options.allSatisfy { $0.number == nil }
        if let number = value.integer { return isNumbered ? self.option(at: Int(number)) : [] }
        // A value's own name takes precedence over the words of another value, also where it is not offered.
        guard let text = value.string, !self.isEnumeration || self.names?.contains(value) != true else { return [] }
        let keys = text.matchingKeys(locale: locale).filter { !$0.isEmpty }
        let displays = self.displays(locale: locale)
        for key in keys {
            let called = self.options.indices.filter { self.isCalled(key, $0, displays[$0], locale: locale) }
            if !called.isEmpty { return called }
        }
        for key in keys {
            let called = self.options.indices.filter { index in
                (self.display(at: index)?.subtitle?.texts ?? []).contains { $0.matchingKey == key }
            }
            if called.count == 1 { return called }
        }
        return isNumbered ? Self.number(text).map(self.option(at:)) ?? [] : []
    }

    /// The options of a prompt that a user means by a value, as far as its event and declared words tell.
    ///
    /// The stage knows more: the words of the options in other languages.
    /// - Parameters:
    ///   - prompt: The data of `prompt.issued`.
    ///   - value: The value.
    ///   - locale: The user's language.
    ///   - parameter: The parameter; nil for an unknown one.
    ///   - constraints: What is declared about its values.
    /// - Returns: The indices of the options; empty where the value means none of them.
    package static func options(
        of prompt: JSONValue,
        meantBy value: JSONValue,
        locale: String,
        of parameter: ParameterDescription? = nil,
        _ constraints: ParameterConstraints? = nil
    ) -> [Int] {
        let options = prompt["options"]?.array ?? []
        if let shown = OptionDisplay.all(in: prompt)?.map(\.representation) {
            let offer = PromptOffer(options, displays: shown, of: parameter, constraints)
            let meant = offer.options(meantBy: value, locale: locale)
            if !meant.isEmpty { return meant }
        }
        return PromptOffer(options, of: parameter, constraints).options(meantBy: value, locale: locale)
    }

    /// Whether a value in question is what a user calls by these words.
    ///
    /// - Parameters:
    ///   - prompt: The data of `prompt.issued`.
    ///   - text: The words.
    ///   - locale: The user's language.
    /// - Returns: Whether the prompt's `item` has that name, or those words.
    package static func isItem(of prompt: JSONValue, called text: String, locale: String) -> Bool {
        guard let item = prompt["item"], !item.isNull else { return false }
        let display = prompt["itemDisplay"].flatMap(OptionDisplay.init(json:))?.representation
        let offer = PromptOffer([item], displays: [display], of: nil, nil)
        return offer.isCalled(text.matchingKey, 0, offer.displays(locale: locale)[0], locale: locale)
    }

    /// The option at a place, from 1.
    private func option(at place: Int) -> [Int] {
        place > 0 && place <= self.options.count ? [place - 1] : []
    }

    /// The place that a text names: `2`, `2.` or `#2`.
    private static func number(_ text: String) -> Int? {
        var digits = text.filter { !$0.isWhitespace }[...]
        if digits.first == "#" { digits.removeFirst() } else if digits.last == "." { digits.removeLast() }
        return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
    }

    private func display(at index: Int) -> DisplayRepresentation? { self.own[index] ?? self.known(self.options[index]) }

    /// Whether an option has that name, title or synonym in any language, or that title with its number or subtitle.
    private func isCalled(_ key: String, _ index: Int, _ shown: OptionDisplay, locale: String) -> Bool {
        let display = self.display(at: index)
        let titles = self.names(of: self.options[index], locale: locale) + (display?.title.texts ?? [])
        let synonyms = (display?.synonyms ?? []).flatMap(\.texts)
        if (titles + synonyms).contains(where: { $0.matchingKey == key }) { return true }
        let bare = Self.withoutBrackets(key)
        if !bare.isEmpty, Self.withoutBrackets(shown.title.matchingKey) == bare { return true }
        let subtitles = (display?.subtitle?.texts ?? []).map { Self.withoutBrackets($0.matchingKey) }
        return (titles + [shown.title]).map { Self.withoutBrackets($0.matchingKey) }
            .contains { title in
                !title.isEmpty && bare.hasPrefix(title) && subtitles.contains(String(bare.dropFirst(title.count)))
            }
    }

    private static func withoutBrackets(_ key: String) -> String { key.filter { $0 != "(" && $0 != ")" } }

    /// What a value is called without any declared words.
    private func names(of value: JSONValue, locale: String) -> [String] {
        if let answer = value.bool {
            return [BuiltInLanguages.language(locale), BuiltInLanguages.english].compactMap { $0 }
                .map { answer ? $0.yesAndNo.0 : $0.yesAndNo.1 } + [value.description]
        }
        if let text = value.string { return [text, self.isEnumeration ? PromptWords.of(name: text) : text] }
        let members = ["displayName", "spokenPhrase", "name", "value", "identifier"]
        return members.compactMap { value[$0]?.string } + [PromptWords.of(value)]
    }

    /// The value that the user calls by these words, in any language; nil for none, or several.
    package func option(called text: String) -> JSONValue? {
        let found = self.options(called: text.matchingKey, withSynonyms: false)
        return found.count == 1 ? found[0] : nil
    }

    /// The values that the first of these keys finds that finds any (``Swift/String/matchingKeys(locale:)``).
    ///
    /// - Parameters:
    ///   - keys: The keys of what the user said.
    ///   - withSynonyms: Whether synonyms count. They do not in turns before behaviour 6.
    /// - Returns: The values.
    package func options(calledAnyOf keys: [String], withSynonyms: Bool = true) -> [JSONValue] {
        keys.lazy.map { self.options(called: $0, withSynonyms: withSynonyms) }.first { !$0.isEmpty } ?? []
    }

    private func options(called key: String, withSynonyms: Bool) -> [JSONValue] {
        guard !key.isEmpty else { return [] }
        return self.options.filter { option in
            let display = self.declared[option]
            let names = [option.string.map { self.isEnumeration ? PromptWords.of(name: $0) : $0 }] + [option.string]
            return names.contains { $0?.matchingKey == key }
                || (display?.title.texts ?? []).contains { $0.matchingKey == key }
                || withSynonyms && (display?.synonyms ?? []).contains { $0.texts.contains { $0.matchingKey == key } }
        }
    }
}
