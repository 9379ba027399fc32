import Foundation
import IntentKit

/// The body of a call to a service: the intent, and as much of the turn as a Swift handler sees.
struct ServiceRequest {
    let context: TurnContext

    init(_ context: TurnContext) {
        self.context = context
    }

    /// The members of every call.
    func body(_ intent: IntentSnapshot, for call: ServiceCall) -> JSONValue { .object(self.members(intent, call)) }

    func resolve(_ intent: IntentSnapshot, _ open: [ParameterDefinition]) -> JSONValue {
        var members = self.members(intent, .resolve)
        if !self.context.declinedValues.isEmpty {
            members["declined"] = .object(JSONObject(self.context.declinedValues.mapValues(JSONValue.array)))
        }
        members["open"] = .array(open.map { .string($0.name) })
        members["vocabulary"] = .array(open.flatMap { self.words(of: $0, in: intent) })
        return .object(members)
    }

    func undo(_ intent: IntentSnapshot, _ result: JSONValue) -> JSONValue {
        var members = self.members(intent, .undo)
        members["result"] = result
        return .object(members)
    }

    private func members(_ intent: IntentSnapshot, _ call: ServiceCall) -> JSONObject {
        let device = self.context.device
        var members: JSONObject = [
            "accepts": .array(call.abilities.map(JSONValue.string)),
            "intent": intent.json,
            "interaction": .members([
                "identifier": .string(self.context.interactionID),
                "groupIdentifier": self.context.groupIdentifier.map(JSONValue.string),
            ]),
            "user": ["id": .string(self.context.user.id)],
            "device": .members([
                "id": device.id.map(JSONValue.string), "isLocked": device.isLocked.map(JSONValue.bool),
                "appVersion": device.appVersion.map(JSONValue.string),
            ]),
            "locale": .string(self.context.locale),
            "timeZone": .string(self.context.timeZoneName),
            "time": .string(self.context.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
        ]
        members["followsFrom"] = self.context.followsFrom.map { origin in
            .members([
                "interaction": origin.interactionID.map(JSONValue.string), "name": .string(origin.name),
            ])
        }
        return members
    }

    /// What vocabularies know of a parameter's words: the user's own and the global one, each separately.
    private func words(of parameter: ParameterDefinition, in intent: IntentSnapshot) -> [JSONValue] {
        guard let vocabulary = parameter.vocabulary, let value = intent.parameters[parameter.name] else { return [] }
        let values = parameter.isList ? value.array ?? [] : [value]
        return values.compactMap(parameter.type.words)
            .map { words in
                var matches: [VocabularyMatch] = []
                if case .ofUser(let type) = vocabulary {
                    matches = self.context.vocabularyMatches(for: words, type: type)
                }
                let path = "\(intent.name).\(parameter.name)"
                matches += self.context.vocabularyMatches(for: words, parameter: path)
                return [
                    "parameter": .string(parameter.name), "words": .string(words),
                    "matches": .array(matches.map(Self.json)),
                ]
            }
    }

    private static func json(_ match: VocabularyMatch) -> JSONValue {
        .members([
            "source": .string(match.source.rawValue), "means": .string(match.means.rawValue),
            "index": .integer(Int64(match.index)), "phrase": .string(match.phrase),
            "identifier": match.identifier.map(JSONValue.string),
        ])
    }
}
