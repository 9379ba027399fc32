package import IntentKit

/// An intent for display: its origin, its parameters, its responses.
package struct IntentListing {
    package let entry: IntentRegistry.Entry
    package let origin: IntentOrigin

    /// Finds an intent by a typed name.
    ///
    /// - Throws: ``OperationError`` (66) with a suggestion.
    package static func find(_ name: String, in intents: IntentSet) throws(OperationError) -> IntentListing {
        if let listing = IntentListing(name, of: intents) { return listing }
        let hint = NearMiss.hint(name, among: intents.registry.intentNames)
        let advice = hint.isEmpty ? "; `intentd intents` lists the supported intents" : hint
        throw OperationError(.noInput, "unknown intent \(SafeText.line(name))\(advice)")
    }

    /// Describes an intent of the set; nil when it is not supported.
    package init?(_ name: String, of intents: IntentSet) {
        guard let entry = intents.registry[name], let origin = intents.origins[name] else { return nil }
        self.entry = entry
        self.origin = origin
    }

    package var registration: IntentRegistration { self.entry.registration }

    /// All details, as `intents --json` prints them.
    package var json: JSONValue {
        .members([
            "name": .string(self.registration.intentName),
            "title": self.registration.title?.anyText.map(JSONValue.string),
            "from": self.origin.json,
            "handler": [
                "name": .string(self.registration.handlerName), "version": .string(self.registration.handlerVersion),
            ],
            "confirmation": .string(self.registration.effectiveConfirmation.rawValue),
            "financial": .bool(self.registration.isFinancial),
            "confirmedBy": .string(self.registration.effectiveConfirmingParty.rawValue),
            "readOnly": .bool(self.registration.isReadOnly),
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
            "searchable": parameter.isSearchable ? true : nil,
        ])
    }

    private static func list(_ names: Set<String>) -> JSONValue { .array(names.sorted().map(JSONValue.string)) }
}
