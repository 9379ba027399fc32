internal import IntentEvents
internal import IntentKit
internal import SpokenValues

/// What users say in place of values (R73).
extension Turn {
    /// The largest number of texts that a turn reads.
    private static let maximumTexts = 100

    /// The values of a type that a text means, the likeliest first; none where words are not read.
    ///
    /// - Parameters:
    ///   - text: What the user said.
    ///   - typeName: The type.
    ///   - parameter: The parameter that is to have the value.
    ///   - interaction: The interaction.
    /// - Returns: The meanings.
    func meanings(
        of text: String,
        as typeName: String,
        for parameter: String,
        of interaction: Interaction
    ) -> [SpokenMeaning] {
        guard self.environment.readsWords, SpokenReader.reads(typeName), self.textsRead < Self.maximumTexts,
            (1...SpokenReader.maximumLength).contains(text.utf8.count)
        else { return [] }
        self.textsRead += 1
        let query = SpokenQuery(
            text,
            parameter: parameter,
            typeName: typeName,
            locale: interaction.locale,
            timeZone: interaction.timeZone ?? self.settings.timeZone,
            defaultTimeZone: self.settings.timeZone,
            // A turn that is tried again reads the same.
            now: self.input.firstTriedAt ?? self.record.at
        )
        return self.stageHost(for: interaction).understand(query)
    }

    /// Whether a text is a yes or a no; nil for every other one.
    func isYes(_ text: String, in interaction: Interaction) -> Bool? {
        let meant = self.meanings(of: text, as: Bool.typeName, for: "confirmation", of: interaction)
        return meant.count == 1 ? meant[0].value.bool : nil
    }

    /// The words that were read as values, by parameter, for the client; nil if there are none.
    func understood(in interaction: Interaction) -> JSONValue? {
        guard !interaction.understood.isEmpty else { return nil }
        let parameters = self.registered(interaction)?.registration.parameters ?? []
        let lists = Set(parameters.filter(\.isList).map(\.name))
        var byParameter: JSONObject = [:]
        for (name, words) in interaction.understood {
            byParameter[name] = lists.contains(name) ? JSONValue.array(words.map(\.shown)) : words.last?.shown
        }
        return .object(byParameter)
    }
}
