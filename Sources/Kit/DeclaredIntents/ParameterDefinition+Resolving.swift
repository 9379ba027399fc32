import Foundation
import IntentKit

extension ParameterDefinition {
    /// Resolves the parameter: one outcome, or one for each value of a list (R20).
    func outcome(for value: JSONValue?, _ lookup: WordLookup) -> ParameterOutcome {
        let said = value.flatMap { self.isMissing($0) ? nil : $0 }
        return .judging(said, isList: self.isList, isRequired: self.isRequired) { self.outcome(forOne: $0, lookup) }
    }

    /// Whether the whole value counts as missing: null, an empty text, an empty list.
    func isMissing(_ value: JSONValue) -> Bool {
        if self.isList, let values = value.array { return values.isEmpty }
        return self.type.isMissing(value)
    }

    /// Whether one value has the type, or is the one that is always valid.
    func accepts(_ value: JSONValue) -> Bool { self.isAny(value) || self.type.canonical(value) != nil }

    /// What the definition makes of a parameter before a service is asked about it (R61); nil when the service decides.
    ///
    /// A valid value is replaced by its canonical form. Words that a vocabulary may know go to the service as they were
    /// said.
    func outcomeBeforeService(_ value: inout JSONValue?, _ lookup: WordLookup) -> ParameterOutcome? {
        guard let said = value, !self.isMissing(said) else {
            value = nil
            return self.isRequired ? .single(.needsValue) : nil
        }
        guard self.isList else {
            let outcome = self.outcome(forOne: said, lookup, leavesWords: true)
            guard case .success(let settled) = outcome else { return .single(outcome) }
            value = settled
            return nil
        }
        guard let values = said.array else { return .single(.unsupported(forReason: .wrongType)) }
        let outcomes = values.map { self.outcome(forOne: $0, lookup, leavesWords: true) }
        let settled = outcomes.compactMap { if case .success(let settled) = $0 { settled } else { nil } }
        guard settled.count == values.count else { return .perValue(outcomes) }
        value = .array(settled)
        return nil
    }

    /// Resolves one value.
    ///
    /// - Parameters:
    ///   - value: The value that was said.
    ///   - lookup: Looks up the user's words.
    ///   - leavesWords: Whether the service looks words up in the parameter's vocabulary, so that bounds are checked
    ///     later.
    /// - Returns: The outcome.
    func outcome(
        forOne value: JSONValue,
        _ lookup: WordLookup,
        leavesWords: Bool = false
    ) -> ResolutionOutcome {
        if let any = self.any, self.isAny(value) { return .success(any) }
        guard var value = self.type.canonical(value) else { return .unsupported(forReason: .wrongType) }
        if self.type == .person, !lookup.hasContactsAccess {
            // Then nothing is known of the user's contacts except what was said (R25).
            guard let phrase = INPerson(json: value)?.spokenPhrase else { return .needsValue }
            value = INPerson(spokenPhrase: phrase).json
        }
        // The declared values are within the bounds; that was checked when the definition was read.
        if let allowed = self.allowed { return allowed.outcome(for: value, lookup) }
        if leavesWords, self.vocabulary != nil { return .success(value) }
        let outcome = self.vocabulary == nil ? .success(value) : self.outcome(named: value, lookup)
        guard case .success(let named) = outcome else { return outcome }
        return self.reason(against: named).map(ResolutionOutcome.unsupported(forReason:)) ?? .success(named)
    }

    /// The bound that a value of the type breaks, if any.
    func reason(against value: JSONValue) -> DeclaredUnsupportedReason? {
        if let minimum = self.minimum {
            guard let order = self.type.compare(value, minimum) else { return .currencyNotSupported }
            if order == .orderedAscending { return .belowMinimum }
        }
        if let maximum = self.maximum {
            guard let order = self.type.compare(value, maximum) else { return .currencyNotSupported }
            if order == .orderedDescending { return .aboveMaximum }
        }
        if let pattern = self.textPattern, let text = value.string, !pattern.matches(text) { return .patternMismatch }
        return nil
    }

    /// Whether a value is the one that is always valid.
    func isAny(_ value: JSONValue) -> Bool {
        guard let any = self.any else { return false }
        if any == value { return true }
        guard let anyText = any.string, let text = value.string else { return false }
        return anyText.matchingKey == text.matchingKey
    }
}
