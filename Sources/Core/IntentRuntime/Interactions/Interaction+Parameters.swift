internal import IntentKit

/// How an interaction's parameters get their values.
extension Interaction {
    /// Gives parameters new values, in name order; each is resolved again, and so are those that depend on it.
    ///
    /// Unknown names are kept as ignored; a value of the wrong type, or a too large one, is refused when its parameter
    /// is resolved (R25).
    ///
    /// - Parameters:
    ///   - values: The values by name.
    ///   - environment: What turns of the stage share.
    ///   - turn: The turn in which the values arrive, which reads words (R73); nil where none are read.
    mutating func set(_ values: JSONObject, in environment: StageEnvironment, reading turn: Turn? = nil) {
        let entry = turn?.registered(self) ?? environment.registry[self.intent.name]
        guard let parameters = entry?.registration.parameters else { return }
        // Names in byte order may be in another order as texts.
        if values.indices.dropFirst().allSatisfy({ values[$0 - 1].key < values[$0].key }) {
            for (name, value) in values { self.set(name, to: value, parameters, in: environment, reading: turn) }
        } else {
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                self.set(name, to: value, parameters, in: environment, reading: turn)
            }
        }
    }

    private mutating func set(
        _ name: String,
        to value: JSONValue,
        _ parameters: [ParameterDescription],
        in environment: StageEnvironment,
        reading turn: Turn?
    ) {
        // By index: a description is large to copy.
        guard let index = parameters.indices.first(where: { parameters[$0].name == name }) else {
            self.ignore(name)
            return
        }
        if value.isNull { self.declined[name] = nil }
        self.forgetWords(of: name)
        let parameter = parameters[index]
        self.set(parameter, to: self.named(value, parameter, in: environment, reading: turn))
        self.unsettle(name, parameters)
    }

    /// The values of a parameter that the user means by that text: those with that title, in any language (R63), else
    /// those as which the words were read when they arrived (R73).
    ///
    /// They are looked for only where the text is not a value itself: its own name takes precedence over a title of
    /// another value. More than one means that the user has to choose.
    func meanings(
        of value: JSONValue,
        _ parameter: ParameterDescription,
        in environment: StageEnvironment
    ) -> [ParameterOption] {
        guard environment.readsTitles, let text = value.string, !parameter.accepts(value) else { return [] }
        let constraints = environment.registry[self.intent.name]?.registration.constraints[parameter.name]
        let titled = self.titled(text, parameter, constraints, environment)
        guard titled.isEmpty else { return titled.map { ParameterOption($0) } }
        return (self.ambiguous[parameter.name]?[text] ?? [])
            .map { meaning in
                // In dialogs, masking finds a sensitive value only as it is on the wire.
                let words = parameter.isSensitive ? nil : DisplayRepresentation(title: LocalizedText(meaning.words))
                return ParameterOption(meaning.value, display: words)
            }
    }

    private func titled(
        _ text: String,
        _ parameter: ParameterDescription,
        _ constraints: ParameterConstraints?,
        _ environment: StageEnvironment
    ) -> [JSONValue] {
        guard let constraints else { return [] }
        return PromptOffer(constraints.values ?? [], of: parameter, constraints)
            .options(
                calledAnyOf: text.matchingKeys(locale: self.locale),
                withSynonyms: environment.showsDisplays
            )
    }

    /// A value, or a list of them, with values in place of the titles and words that people say.
    ///
    /// Words are read only in the turn in which they arrive: "tomorrow" is another day in the next one.
    mutating func named(
        _ value: JSONValue,
        _ parameter: ParameterDescription,
        in environment: StageEnvironment,
        reading turn: Turn?
    ) -> JSONValue {
        if parameter.isList, let values = value.array {
            var named: [JSONValue] = []
            named.reserveCapacity(values.count)
            for value in values {
                named.append(self.named(value, parameter, in: environment, reading: turn))
            }
            return .array(named)
        }
        guard environment.readsTitles, let text = value.string, !parameter.accepts(value) else { return value }
        let constraints = environment.registry[self.intent.name]?.registration.constraints[parameter.name]
        let titled = self.titled(text, parameter, constraints, environment)
        if !titled.isEmpty { return titled.count == 1 ? titled[0] : value }
        guard let turn else { return value }
        return self.read(text, as: parameter, constraints, in: turn) ?? value
    }

    /// Records a parameter that the intent does not have; the number and the length of such names are limited.
    mutating func ignore(_ name: String) {
        guard !self.ignoredParameters.contains(name), self.ignoredParameters.count < 100 else { return }
        self.ignoredParameters.append(String(name.prefix(256)))
    }

    /// Sets a parameter to a value as it came.
    ///
    /// A value of the wrong type is refused; the values of a list are checked one by one when the parameter is resolved
    /// (R20).
    mutating func set(_ parameter: ParameterDescription, to value: JSONValue) {
        if !self.refused.isEmpty { self.refused[parameter.name] = nil }
        self.forgetDisplays(of: parameter.name)
        if !self.asked.isEmpty { self.asked[parameter.name] = nil }
        guard !value.isNull else {
            self.intent.parameters[parameter.name] = nil
            return
        }
        guard ParameterLimits.allows(value), parameter.isList || parameter.accepts(value) else {
            self.intent.parameters[parameter.name] = nil
            self.refused[parameter.name] = ParameterLimits.allows(value) ? value : "(too large)"
            return
        }
        let isSingle = parameter.isList && value.array == nil
        self.intent.parameters[parameter.name] = isSingle ? .array([value]) : value
    }

    /// Forgets the words with which a parameter's value, or values of its list, were chosen.
    mutating func forgetDisplays(of parameter: String) {
        guard !self.displays.isEmpty else { return }
        self.displays = self.displays.filter { $0.key != parameter && !$0.key.hasPrefix(parameter + "/") }
    }

    /// Unsettles a parameter, and those that depend on it, so that they are resolved again (R18).
    mutating func unsettle(_ name: String, _ parameters: [ParameterDescription]) {
        self.unsettle(name)
        guard parameters.contains(where: { $0.dependsOn.contains(name) }) else { return }
        var names = [name]
        var seen: Set<String> = []
        while let next = names.popLast() {
            guard seen.insert(next).inserted else { continue }
            self.unsettle(next)
            names.append(contentsOf: parameters.filter { $0.dependsOn.contains(next) }.map(\.name))
        }
    }

    /// The index of the first parameter that is not settled yet; nil when all are.
    func firstUnsettled(of parameters: [ParameterDescription]) -> Int? {
        parameters.firstIndex { !self.isSettled($0.name) }
    }

    /// The parameters that are not settled, up to the first that will certainly lead to a prompt, since the turn ends
    /// there.
    func openParameters(of parameters: [ParameterDescription]) -> [String] {
        let open = parameters.filter { !self.isSettled($0.name) }
        return
            open.prefix { parameter in
                let values = parameter.isList ? self.intent.parameters[parameter.name]?.array ?? [] : []
                return self.refused[parameter.name] == nil && self.asked[parameter.name] == nil
                    && (values.isEmpty || values.contains(where: parameter.accepts))
            }
            .map(\.name)
    }
}

/// The size limits of a parameter's value (R47).
enum ParameterLimits {
    /// The maximum number of values in a list.
    static let maximumListCount = 1_000
    static let maximumStringBytes = 64 * 1024

    /// Whether a value is within the limits, including strings and lists inside it.
    static func allows(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .integer, .number: true
        case .string(let text): text.utf8.count <= Self.maximumStringBytes
        case .array(let elements): elements.count <= Self.maximumListCount && elements.allSatisfy(Self.allows)
        case .object(let members): members.count <= Self.maximumListCount && members.values.allSatisfy(Self.allows)
        }
    }
}
