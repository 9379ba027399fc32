internal import IntentKit

/// How an interaction's parameters get their values.
extension Interaction {
    /// Gives parameters new values, in name order; each is resolved again, and so are those that depend on it.
    ///
    /// Unknown names are kept as ignored; a value of the wrong type, or a too large one, is refused when its parameter
    /// is resolved (R25).
    mutating func set(_ values: JSONObject, in environment: StageEnvironment) {
        guard let parameters = environment.registry[self.intent.name]?.registration.parameters else { return }
        // Names in byte order may be in another order as texts.
        let isInOrder = values.indices.dropFirst().allSatisfy { values[$0 - 1].key < values[$0].key }
        for (name, value) in isInOrder ? Array(values) : values.sorted(by: { $0.key < $1.key }) {
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                self.ignore(name)
                continue
            }
            self.set(parameter, to: self.named(value, parameter, in: environment))
            self.unsettle(name, parameters)
        }
    }

    /// The values of a parameter that the user calls by that text, in any language (R63).
    ///
    /// They are looked for only where the text is not a value itself: its own name takes precedence over a title of
    /// another value. More than one means that the user has to choose.
    func meanings(
        of value: JSONValue,
        _ parameter: ParameterDescription,
        in environment: StageEnvironment
    ) -> [JSONValue] {
        guard environment.readsTitles, let text = value.string, !parameter.accepts(value),
            let constraints = environment.registry[self.intent.name]?.registration.constraints[parameter.name]
        else { return [] }
        return PromptOffer(constraints.values ?? [], of: parameter, constraints)
            .options(calledAnyOf: text.matchingKeys(locale: self.locale))
    }

    /// A value, or a list of them, with names in place of the titles that people say.
    func named(_ value: JSONValue, _ parameter: ParameterDescription, in environment: StageEnvironment) -> JSONValue {
        if parameter.isList, let values = value.array {
            return .array(values.map { self.named($0, parameter, in: environment) })
        }
        let meant = self.meanings(of: value, parameter, in: environment)
        return meant.count == 1 ? meant[0] : value
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
        self.refused[parameter.name] = nil
        guard !value.isNull else {
            self.intent.parameters[parameter.name] = nil
            return
        }
        let elements = parameter.isList ? value.array ?? [value] : [value]
        guard ParameterLimits.allows(value), parameter.isList || parameter.accepts(value) else {
            self.intent.parameters[parameter.name] = nil
            self.refused[parameter.name] = ParameterLimits.allows(value) ? value : "(too large)"
            return
        }
        self.intent.parameters[parameter.name] = parameter.isList ? .array(elements) : value
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
                return self.refused[parameter.name] == nil
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
