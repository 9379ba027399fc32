package import IntentKit

/// The relevant parts of a worker's registry and settings, as digests that two workers can compare (R15).
package struct RegistryDigest: Hashable, Sendable {
    /// A digest of each intent: its parameters and what is declared about their values, its codes, its handler's
    /// version, its policies.
    package var intents: [String: String]
    /// A digest of the settings that affect what turns produce.
    package var settings: String

    package init(_ registry: IntentRegistry, _ settings: RuntimeSettings) {
        self.intents = [:]
        for name in registry.intentNames {
            guard let entry = registry[name] else { continue }
            self.intents[name] = Self.digest(Self.json(entry))
        }
        // What earlier versions do not have is left out at its default, so that their digest is the same.
        let isChanged = settings.unknownMembers != RuntimeSettings().unknownMembers
        self.settings = Self.digest(
            .members([
                "dedupeWindow": .integer(settings.dedupeWindow.milliseconds),
                "promptMaxAttempts": .integer(Int64(settings.promptMaxAttempts)),
                "promptTimeout": .integer(settings.promptTimeout.milliseconds),
                "maxTurns": .integer(Int64(settings.maxTurns)),
                "maxAge": .integer(settings.maxAge.milliseconds),
                "parkedMaxAge": .integer(settings.parkedMaxAge.milliseconds),
                "inProgressAfter": .integer(settings.inProgressAfter.milliseconds),
                "handlerTimeout": .integer(settings.handlerTimeout.milliseconds),
                "appTimeout": .integer(settings.appTimeout.milliseconds),
                "readsWords": settings.readsWords ? nil : false,
                "unknownMembers": isChanged ? .string(settings.unknownMembers.rawValue) : nil,
                "timeZone": settings.timeZone == RuntimeSettings().timeZone ? nil : .string(settings.timeZone),
            ])
        )
    }

    /// The differences from another one: names of intents, and `settings`.
    package func differences(from other: RegistryDigest) -> [String] {
        Set(self.intents.keys).union(other.intents.keys).filter { self.intents[$0] != other.intents[$0] }.sorted()
            + (self.settings == other.settings ? [] : ["settings"])
    }

    /// The form in state.
    var json: JSONValue {
        ["intents": .object(self.intents.mapValues(JSONValue.string)), "settings": .string(self.settings)]
    }

    init?(json: JSONValue) {
        guard let intents = json["intents"]?.object, let settings = json["settings"]?.string else { return nil }
        self.intents = intents.compactMapValues(\.string)
        self.settings = settings
    }

    /// Sixteen digits: enough to distinguish, and short if there are many intents.
    private static func digest(_ json: JSONValue) -> String { String(RecordDigest.of(json.utf8).prefix(16)) }

    private static func json(_ entry: IntentRegistry.Entry) -> JSONValue {
        let registration = entry.registration
        let parameters = registration.parameters.map { parameter -> JSONValue in
            let constraints = registration.constraints[parameter.name]
            return .members([
                "name": .string(parameter.name), "type": .string(parameter.typeName), "list": .bool(parameter.isList),
                "dependsOn": .array(parameter.dependsOn.sorted().map(JSONValue.string)),
                "sensitive": .bool(parameter.isSensitive),
                "required": constraints?.isRequired == true ? true : nil,
                "resolved": constraints?.isResolvedByHandler == true ? true : nil,
                "values": constraints?.values.map(JSONValue.array), "minimum": constraints?.minimum,
                "maximum": constraints?.maximum, "pattern": constraints?.pattern.map(JSONValue.string),
                "default": constraints?.defaultValue,
            ])
        }
        // The effects that can be undone, with the milliseconds in which they can be after a success.
        let undos = registration.undos.mapValues { $0.within.map { JSONValue.integer($0.milliseconds) } ?? .null }
        return .members([
            "parameters": .array(parameters),
            "codes": .array(registration.codes.sorted().map(JSONValue.string)),
            "appOnlyCodes": .array(registration.appOnlyCodes.sorted().map(JSONValue.string)),
            "confirmation": .string(registration.effectiveConfirmation.rawValue),
            "financial": .bool(registration.isFinancial),
            "handler": .string(registration.handlerName),
            "version": .string(registration.handlerVersion),
            "ledger": .bool(registration.usesLedger),
            "restricted": .bool(entry.isRestrictedWhileLocked),
            "timeout": entry.handlerTimeout.map { .integer($0.milliseconds) },
            "handleTimeout": registration.handleTimeout.map { .integer($0.milliseconds) },
            "retry": registration.retry.map { retry in
                [
                    .integer(Int64(retry.attempts)), .integer(retry.first.milliseconds), .number(retry.factor),
                    .integer(retry.longest.milliseconds), .integer(retry.within.milliseconds),
                ]
            },
            "undo": undos.isEmpty ? nil : .object(undos),
            "presented": .bool(entry.presenter != nil),
            "updates": registration.statusUpdates.map {
                [.integer($0.every.milliseconds), .integer($0.duration.milliseconds)]
            },
        ])
    }
}
