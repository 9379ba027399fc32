import Foundation
import IntentKit

extension ParameterDefinition {
    /// Resolves the parameter: one outcome, or one for each value of a list (SPEC R20).
    func outcome(for value: JSONValue?) -> ParameterOutcome {
        guard let value, !self.isMissing(value) else { return .single(self.isRequired ? .needsValue : .notRequired) }
        guard self.isList else { return .single(self.outcome(forOne: value)) }
        guard let values = value.array else { return .single(.unsupported(forReason: .wrongType)) }
        return .perValue(values.map(self.outcome(forOne:)))
    }

    /// Whether the whole value counts as missing: null, an empty text, an empty list.
    func isMissing(_ value: JSONValue) -> Bool {
        if self.isList, let values = value.array { return values.isEmpty }
        return self.type.isMissing(value)
    }

    /// Whether one value has the type, or is the one that is always valid.
    func accepts(_ value: JSONValue) -> Bool { self.isAny(value) || self.type.canonical(value) != nil }

    /// Resolves one value.
    func outcome(forOne value: JSONValue) -> ResolutionOutcome {
        if let any = self.any, self.isAny(value) { return .success(any) }
        guard let value = self.type.canonical(value) else { return .unsupported(forReason: .wrongType) }
        // The values declared keep to the bounds; that was checked when the definition was read.
        if let allowed = self.allowed { return allowed.outcome(for: value) }
        return self.reason(against: value).map(ResolutionOutcome.unsupported(forReason:)) ?? .success(value)
    }

    /// Which bound a value of the type breaks, if any.
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

    private func isAny(_ value: JSONValue) -> Bool {
        guard let any = self.any else { return false }
        if any == value { return true }
        guard let anyText = any.string, let text = value.string else { return false }
        return anyText.matchingKey == text.matchingKey
    }
}
