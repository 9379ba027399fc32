/// The declarations about a Swift parameter's values, prepared for use.
package struct ParameterRules: Sendable {
    private let declaration: ParameterDeclaration
    private let allowed: AllowedValues?

    /// Prepares the declarations at a property.
    init(_ declaration: ParameterDeclaration) {
        self.declaration = declaration
        self.allowed = declaration.values.map { AllowedValues($0, words: declaration.words) }
    }

    /// Whether there is no declaration that could refuse or ask.
    var isEmpty: Bool { !self.declaration.isRequired && self.allowed == nil && self.declaration.refuse == nil }

    /// What follows from the declaration alone: one outcome, or one for each value of a list (R20).
    func outcome(for value: JSONValue?, _ matches: (String) -> [VocabularyMatch]) -> ParameterOutcome {
        let said = value.flatMap { self.isMissing($0) ? nil : $0 }
        return .judging(said, isList: self.declaration.isList, isRequired: self.declaration.isRequired) {
            self.outcome(forOne: $0, matches)
        }
    }

    /// Whether the whole value counts as missing.
    func isMissing(_ value: JSONValue) -> Bool {
        if self.declaration.isList, let values = value.array { return values.isEmpty }
        return self.declaration.isMissing(value)
    }

    private func outcome(forOne value: JSONValue, _ matches: (String) -> [VocabularyMatch]) -> ResolutionOutcome {
        guard let value = self.declaration.canonical(value) else { return .unsupported(forReason: .wrongType) }
        // The declared values are within the bounds; that was checked when the intent was described.
        if let allowed = self.allowed { return allowed.outcome(for: value, matches) }
        return self.declaration.refuse?(value).map(ResolutionOutcome.unsupported(forReason:)) ?? .success(value)
    }

    // MARK: Mistakes

    /// What is wrong with the declaration itself; nil when nothing is.
    var problem: String? {
        if let values = self.declaration.values {
            if values.isEmpty { return "`values:` is empty" }
            if Set(values).count < values.count { return "duplicate value in `values:`" }
            if let value = values.first(where: self.isOutOfBounds) { return "\(value) of `values:` is out of `in:`" }
        }
        guard let value = self.declaration.defaultValue else { return nil }
        if self.declaration.isRequired {
            return "the user is asked for a required parameter, so its default would never be used"
        }
        if self.isMissing(value) { return "the default counts as missing" }
        for value in self.declaration.isList ? value.array ?? [] : [value] {
            guard case .success = self.outcome(forOne: value, { _ in [] }) else {
                return "the default \(value) is rejected by its own `in:` or `values:`"
            }
        }
        return nil
    }

    private func isOutOfBounds(_ value: JSONValue) -> Bool { self.declaration.refuse?(value) != nil }
}
