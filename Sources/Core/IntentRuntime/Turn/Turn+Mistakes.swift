internal import IntentEvents
internal import IntentKit

/// What clients probably did not mean, and where it is named (R79).
extension Turn {
    /// Finds the members and attributes of the turn's event that are not read; none in events of intentd's own.
    func findMistakes() -> [ClientMistake] {
        // What ended processes while it was read is not read (R56).
        guard self.environment.namesMistakes, !self.input.isUndecoded, let type = self.event.knownType, type.isInbound
        else { return [] }
        var mistakes: [ClientMistake] = []
        self.event.fields.withView { data in
            mistakes = InboundMembers.mistakes(in: data, self.input.stored.content, type, eventID: self.event.id)
        }
        return mistakes
    }

    /// Adds what is found while the event is acted on.
    func note(_ mistakes: [ClientMistake], in interaction: inout Interaction) {
        guard !mistakes.isEmpty else { return }
        self.mistakes += mistakes.prefix(max(0, ClientMember.maximumNamed - self.mistakes.count))
        interaction.add(self.mistakes)
    }

    /// Why the event is refused, if a mistake in it is a reason to (R79c).
    func refusal(intent: String? = nil) -> String? {
        guard self.settings.unknownMembers == .reject, self.environment.namesMistakes else { return nil }
        return self.mistakes.first { $0.isRefusable }?.detail(intent: intent)
    }

    /// The parameters among these values that the intent does not have.
    func unknownParameters(_ values: JSONObject, in path: String, of interaction: Interaction) -> [ClientMistake] {
        // Reading the whole registration would copy it, which is large.
        guard self.environment.namesMistakes,
            let parameters = self.registered(interaction)?.registration.parameters
        else { return [] }
        var mistakes: [ClientMistake] = []
        for (name, _) in values where !ClientMember.isOwn(name) && mistakes.count < ClientMember.maximumNamed {
            // By index: a description is large to copy.
            guard !parameters.indices.contains(where: { parameters[$0].name == name }) else { continue }
            mistakes.append(
                ClientMistake(
                    name,
                    in: path,
                    .unknownParameter,
                    known: parameters.map(\.name),
                    eventID: self.event.id
                )
            )
        }
        return mistakes
    }

    /// Known members of the event that have no effect.
    func ignoredMembers(_ names: [String]) -> [ClientMistake] {
        guard self.environment.namesMistakes else { return [] }
        return names.map { ClientMistake($0, .ignoredMember, eventID: self.event.id) }
    }
}

extension Interaction {
    /// Adds mistakes of its client that it does not have yet.
    mutating func add(_ mistakes: [ClientMistake]) {
        for mistake in mistakes where self.mistakes.count < ClientMistake.maximumKept {
            if !self.mistakes.contains(mistake) { self.mistakes.append(mistake) }
        }
    }

    /// The mistakes that no output has named; from now on they count as named.
    mutating func takeUnnamedMistakes() -> ArraySlice<ClientMistake> {
        defer { self.namedMistakes = self.mistakes.count }
        return self.mistakes[self.namedMistakes...]
    }
}

extension Collection where Element == ClientMistake {
    /// The member `warnings` of an output; nil when there are none.
    func warnings(intent: String?) -> JSONValue? {
        self.isEmpty ? nil : JSONValue.array(self.map { $0.warning(intent: intent) })
    }
}
