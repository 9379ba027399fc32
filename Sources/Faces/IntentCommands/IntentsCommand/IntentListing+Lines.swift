import IntentKit
import IntentOperations

extension IntentListing {
    /// The headings above ``row``.
    static let headings = ["INTENT", "FROM", "CONFIRMED", "LOCKED", "PARAMETERS"]

    /// The intent in a table.
    var row: [String] {
        let parameters = self.registration.parameters.map { "\($0.name): \(Self.type($0))" }
        return [
            self.registration.intentName, SafeText.line(self.origin.text),
            self.registration.effectiveConfirmation.rawValue,
            self.entry.isRestrictedWhileLocked ? "waits" : "continues",
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
            "while locked: " + (self.entry.isRestrictedWhileLocked ? "waits for an unlocked device" : "continues"),
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
        case .byHandler: "if the handler requires it"
        }
    }

    /// `[person]` for a list of persons.
    private static func type(_ parameter: ParameterDescription) -> String {
        parameter.isList ? "[\(parameter.typeName)]" : parameter.typeName
    }

    private static func ifMissing(_ known: ParameterConstraints) -> String {
        if known.isRequired { return "prompted" }
        let byDefault = known.defaultValue.map { "default \(Self.text($0))" }
        return byDefault ?? (known.isResolvedByHandler ? "handler decides" : "omitted")
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
        return [
            resolved, depends, parameter.isSensitive ? "sensitive" : nil, parameter.isSearchable ? "searchable" : nil,
        ]
        .compactMap(\.self)
        .joined(separator: "; ")
    }

    private static func text(_ value: JSONValue) -> String {
        // People write 2, whatever its type.
        if case .number(let number) = value, let whole = Int64(exactly: number) { return "\(whole)" }
        return SafeText.line(EventSummary.value(value))
    }
}
