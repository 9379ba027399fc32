package import IntentKit

extension ValueRule {
    /// What is wrong with a value; nil when nothing is.
    package func problem(in value: JSONValue, _ strictness: Strictness) -> Problem? {
        switch self {
        case .any: nil
        case .text(let form): value.string.map(form.accepts) ?? false ? nil : self.mismatch(value)
        case .choice(let choices): value.string.map(choices.contains) ?? false ? nil : self.mismatch(value)
        case .boolean: value.bool == nil ? self.mismatch(value) : nil
        case .integer(let minimum, let maximum):
            value.integer.map { $0 >= minimum ?? .min && $0 <= maximum ?? .max } ?? false ? nil : self.mismatch(value)
        case .number: value.number == nil ? self.mismatch(value) : nil
        case .object(let rule):
            value.object.map { rule.problem(in: $0, strictness) } ?? self.mismatch(value)
        case .map(let rule):
            value.object.map { Self.first($0.sorted { $0.key < $1.key }, rule, strictness) } ?? self.mismatch(value)
        case .list(let rule):
            value.array.map { elements in
                Self.first(elements.enumerated().map { (String($0.offset), $0.element) }, rule, strictness)
            } ?? self.mismatch(value)
        case .either(let rules): self.problem(in: value, rules, strictness)
        case .orNull(let rule): value.isNull ? nil : rule.problem(in: value, strictness)
        case .shared(_, let rule): rule.problem(in: value, strictness)
        }
    }

    private func mismatch(_ value: JSONValue) -> Problem {
        let given = value.string.map { "\"\($0.prefix(100))\"" } ?? value.kind
        return Problem(path: [], text: "must be \(self.description), not \(given)")
    }

    private static func first(
        _ values: [(key: String, value: JSONValue)],
        _ rule: ValueRule,
        _ strictness: Strictness
    ) -> Problem? {
        for (name, value) in values {
            guard var problem = rule.problem(in: value, strictness) else { continue }
            problem.path.insert(name, at: 0)
            return problem
        }
        return nil
    }

    /// What is wrong with a value that may be one of several; if it matches one of them further, what is wrong there.
    private func problem(in value: JSONValue, _ rules: [ValueRule], _ strictness: Strictness) -> Problem? {
        let problems = rules.map { $0.problem(in: value, strictness) }
        guard problems.allSatisfy({ $0 != nil }) else { return nil }
        return problems.compactMap { $0 }.filter { !$0.path.isEmpty }.max { $0.path.count < $1.path.count }
            ?? self.mismatch(value)
    }
}

extension ObjectRule {
    /// What is wrong with an object's members; nil when nothing is.
    package func problem(
        in object: JSONObject,
        _ strictness: ValueRule.Strictness
    ) -> ValueRule.Problem? {
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            guard let member = self[name] else {
                if strictness == .received { continue }
                let names = self.members.map(\.name).joined(separator: ", ")
                return ValueRule.Problem(path: [name], text: "is not described; there are \(names)")
            }
            if strictness == .received && value.isNull { continue }
            guard var problem = member.value.problem(in: value, strictness) else { continue }
            problem.path.insert(name, at: 0)
            return problem
        }
        for member in self.requiredMembers {
            let isMissing = strictness == .received ? object[member.name]?.isNull ?? true : object[member.name] == nil
            guard isMissing else { continue }
            return ValueRule.Problem(path: [member.name], text: "is missing; it must be \(member.value.description)")
        }
        return nil
    }
}

extension ValueRule {
    /// A member of a client's value that is in no rule.
    package struct UnknownMember: Hashable, Sendable {
        /// The names on the path to the object that has the member.
        package var path: [String]
        package var name: String
        /// The names that are known there.
        package var known: [String]

        package init(path: [String], name: String, known: [String]) {
            self.path = path
            self.name = name
            self.known = known
        }

        fileprivate func inside(_ name: String) -> Self {
            Self(path: [name] + self.path, name: self.name, known: self.known)
        }
    }

    /// The members that receivers ignore, because no rule names them (R79a).
    package func unknown(in value: JSONValue) -> [UnknownMember] {
        switch self {
        case .any, .text, .choice, .boolean, .integer, .number: []
        case .object(let rule): value.object.map { rule.unknown(in: $0) } ?? []
        case .map(let rule):
            (value.object ?? [:]).flatMap { name, value in rule.unknown(in: value).map { $0.inside(name) } }
        case .list(let rule):
            (value.array ?? []).enumerated()
                .flatMap { index, value in rule.unknown(in: value).map { $0.inside(String(index)) } }
        case .either(let rules):
            rules.first { $0.problem(in: value, .received) == nil }?.unknown(in: value) ?? []
        case .orNull(let rule), .shared(_, let rule): rule.unknown(in: value)
        }
    }
}

extension ObjectRule {
    /// The members that receivers ignore, because no rule names them, in the order of their paths.
    package func unknown(in object: JSONObject) -> [ValueRule.UnknownMember] {
        var found: [ValueRule.UnknownMember] = []
        for (name, value) in object {
            if let member = self[name] {
                found += member.value.unknown(in: value).map { $0.inside(name) }
            } else if !ClientMember.isOwn(name) {
                found.append(ValueRule.UnknownMember(path: [], name: name, known: self.members.map(\.name)))
            }
        }
        return found
    }
}
