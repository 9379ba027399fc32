import IntentKit

/// An intent for display: its origin, its parameters, its responses.
struct IntentListing {
    private let entry: IntentRegistry.Entry
    private let origin: IntentOrigin

    /// Finds an intent by a name that somebody has typed.
    ///
    /// - Throws: ``CommandFailure`` (66) with a suggestion.
    static func find(_ name: String, in intents: IntentSet) throws(CommandFailure) -> IntentListing {
        if let listing = IntentListing(name, of: intents) { return listing }
        let hint = NearMiss.hint(name, among: intents.registry.intentNames)
        let advice = hint.isEmpty ? "; `intentd intents` lists those that are supported" : hint
        throw CommandFailure(.noInput, "nobody supports \(SafeText.line(name))\(advice)")
    }

    /// Describes an intent of the set; nil when it is not supported.
    init?(_ name: String, of intents: IntentSet) {
        guard let entry = intents.registry[name], let origin = intents.origins[name] else { return nil }
        self.entry = entry
        self.origin = origin
    }

    private var registration: IntentRegistration { self.entry.registration }

    // MARK: For programs

    /// All details.
    var json: JSONValue {
        .members([
            "name": .string(self.registration.intentName),
            "title": self.registration.title?.anyText.map(JSONValue.string),
            "from": self.origin.json,
            "handler": [
                "name": .string(self.registration.handlerName), "version": .string(self.registration.handlerVersion),
            ],
            "confirmation": .string(self.registration.effectiveConfirmation.rawValue),
            "financial": .bool(self.registration.isFinancial),
            "restrictedWhileLocked": .bool(self.entry.isRestrictedWhileLocked),
            "codes": Self.list(self.registration.codes),
            "appOnlyCodes": self.registration.appOnlyCodes.isEmpty ? nil : Self.list(self.registration.appOnlyCodes),
            "parameters": .array(self.registration.parameters.map(self.json)),
        ])
    }

    private func json(_ parameter: ParameterDescription) -> JSONValue {
        let known = self.registration.constraints[parameter.name]
        return .members([
            "name": .string(parameter.name), "title": parameter.title?.anyText.map(JSONValue.string),
            "type": .string(parameter.typeName), "list": .bool(parameter.isList),
            "required": known.map { .bool($0.isRequired) },
            "resolvedByHandler": known.map { .bool($0.isResolvedByHandler) },
            "values": known?.values.map(JSONValue.array), "minimum": known?.minimum, "maximum": known?.maximum,
            "pattern": known?.pattern.map(JSONValue.string), "default": known?.defaultValue,
            "dependsOn": parameter.dependsOn.isEmpty ? nil : Self.list(parameter.dependsOn),
            "sensitive": .bool(parameter.isSensitive),
        ])
    }

    private static func list(_ names: Set<String>) -> JSONValue { .array(names.sorted().map(JSONValue.string)) }

    // MARK: For people

    /// The headings above ``row``.
    static let headings = ["INTENT", "FROM", "CONFIRMED", "LOCKED", "PARAMETERS"]

    /// The intent in a table.
    var row: [String] {
        let parameters = self.registration.parameters.map { "\($0.name): \(Self.type($0))" }
        return [
            self.registration.intentName, SafeText.line(self.origin.text),
            self.registration.effectiveConfirmation.rawValue, self.entry.isRestrictedWhileLocked ? "waits" : "goes on",
            parameters.isEmpty ? "-" : parameters.joined(separator: ", "),
        ]
    }

    /// The intent alone.
    var lines: [String] {
        let registration = self.registration
        let codes = registration.codes.sorted().map { registration.appOnlyCodes.contains($0) ? "\($0) (app)" : $0 }
        var lines = [
            registration.intentName + (registration.title?.anyText.map { ": \(SafeText.line($0))" } ?? ""),
            "from: \(SafeText.line(self.origin.text))",
            "handler: \(registration.handlerName), version \(SafeText.line(registration.handlerVersion))",
            "confirmation: " + self.confirmation,
            "while locked: " + (self.entry.isRestrictedWhileLocked ? "waits for an unlocked device" : "goes on"),
            "codes: " + codes.joined(separator: ", "),
        ]
        guard !registration.parameters.isEmpty else { return lines + ["parameters: none"] }
        var table = Table("PARAMETER", "TYPE", "IF MISSING", "VALUES", "NOTES")
        for parameter in registration.parameters {
            let known = registration.constraints[parameter.name]
            table.add(
                parameter.name,
                Self.type(parameter),
                known.map(Self.ifMissing) ?? "-",
                known.map(Self.values) ?? "-",
                Self.notes(parameter, known)
            )
        }
        lines += [""] + table.lines
        return lines
    }

    private var confirmation: String {
        switch self.registration.effectiveConfirmation {
        case .always: "always" + (self.registration.isFinancial ? " (it moves money or cannot be undone)" : "")
        case .never: "never"
        case .byHandler: "when the handler says so"
        }
    }

    /// `[person]` for a list of persons.
    private static func type(_ parameter: ParameterDescription) -> String {
        parameter.isList ? "[\(parameter.typeName)]" : parameter.typeName
    }

    private static func ifMissing(_ known: ParameterConstraints) -> String {
        if known.isRequired { return "asked for" }
        let byDefault = known.defaultValue.map { "default \(Self.text($0))" }
        return byDefault ?? (known.isResolvedByHandler ? "handler decides" : "left out")
    }

    private static func values(_ known: ParameterConstraints) -> String {
        var parts: [String] = []
        switch (known.minimum.map(Self.text), known.maximum.map(Self.text)) {
        case (let minimum?, let maximum?): parts.append("\(minimum) to \(maximum)")
        case (let minimum?, nil): parts.append("\(minimum) or more")
        case (nil, let maximum?): parts.append("\(maximum) or less")
        case (nil, nil): break
        }
        if let values = known.values { parts.append(values.map(Self.text).joined(separator: ", ")) }
        if let pattern = known.pattern { parts.append("matching \(SafeText.line(pattern))") }
        return parts.isEmpty ? "any" : parts.joined(separator: "; ")
    }

    private static func notes(_ parameter: ParameterDescription, _ known: ParameterConstraints?) -> String {
        let resolved = known?.isResolvedByHandler == true ? "resolved by the handler" : nil
        let depends =
            parameter.dependsOn.isEmpty ? nil : "depends on \(parameter.dependsOn.sorted().joined(separator: ", "))"
        return [resolved, depends, parameter.isSensitive ? "sensitive" : nil].compactMap(\.self)
            .joined(separator: "; ")
    }

    private static func text(_ value: JSONValue) -> String {
        // People write 2, whatever its type.
        if case .number(let number) = value, let whole = Int64(exactly: number) { return "\(whole)" }
        return SafeText.line(EventSummary.value(value))
    }
}
