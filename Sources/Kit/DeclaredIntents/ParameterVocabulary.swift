public import IntentKit

/// The vocabulary in which a declared parameter's words are looked up (R25).
public enum ParameterVocabulary: Hashable, Sendable {
    /// The user's own of this type, then the global one of the parameter.
    case ofUser(VocabularyStringType)
    /// The global one of the parameter.
    case global

    /// The name in a definition: a type's, or `global`.
    init?(_ name: String) {
        if name == "global" {
            self = .global
        } else if let type = VocabularyStringType(rawValue: name) {
            self = .ofUser(type)
        } else {
            return nil
        }
    }
}

extension ParameterDefinition {
    /// The entity that words stand for, as a value; the words themselves when no vocabulary knows them.
    ///
    /// A person gets the entity's identifier and name; a text becomes the identifier, or the phrase where there is
    /// none.
    func outcome(named value: JSONValue, _ lookup: WordLookup) -> ResolutionOutcome {
        let person = self.type == .person ? INPerson(json: value) : nil
        guard person?.identifier == nil, let words = self.type.words(value) else { return .success(value) }
        var matches = lookup.matches(words)
        if matches.count > 1 {
            // An entity whose own name it is takes precedence over entities for which it is one of several names.
            let own = matches.filter { $0.means == .phrase || $0.means == .identifier }
            if own.count == 1 { matches = own }
        }
        switch matches.count {
        case 0: return .success(value)
        case 1: return .success(Self.value(of: matches[0], person))
        default:
            var options: [JSONValue] = []
            for match in matches.prefix(AllowedValues.maximumOptions) {
                let option = person == nil ? JSONValue.string(match.phrase) : Self.value(of: match, person)
                if !options.contains(option) { options.append(option) }
            }
            return options.count == 1 ? .success(Self.value(of: matches[0], person)) : .choosing(among: options)
        }
    }

    private static func value(of match: VocabularyMatch, _ person: INPerson?) -> JSONValue {
        guard var person else { return .string(match.identifier ?? match.phrase) }
        person.displayName = match.phrase
        person.identifier = match.identifier
        return person.json
    }
}
