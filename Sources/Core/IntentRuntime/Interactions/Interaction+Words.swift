internal import Foundation
internal import IntentKit

/// How words become values (R73).
extension Interaction {
    /// Reads words as a value of a parameter, in the turn in which they arrive; nil if they are none, or several.
    ///
    /// Several are kept until the parameter is set again: the user chooses among what was meant then.
    mutating func read(
        _ text: String,
        as parameter: ParameterDescription,
        _ constraints: ParameterConstraints?,
        in turn: Turn
    ) -> JSONValue? {
        let meanings = turn.meanings(of: text, as: parameter.typeName, for: parameter.name, of: self)
            .filter { parameter.accepts($0.value) }
        let meant = Self.allowed(meanings, by: constraints, of: parameter.typeName)
        guard let first = meant.first else { return nil }
        guard meant.count == 1 else {
            self.ambiguous[parameter.name, default: [:]][text] = meant
            return nil
        }
        self.understood[parameter.name, default: []].append(UnderstoodWords(text, first))
        return first.value
    }

    /// Forgets what was said for a parameter that is set again, or for one value of its list.
    mutating func forgetWords(of name: String, at index: Int? = nil) {
        guard let index else {
            if !self.ambiguous.isEmpty { self.ambiguous[name] = nil }
            if !self.understood.isEmpty { self.understood[name] = nil }
            return
        }
        guard let values = self.intent.parameters[name]?.array, values.indices.contains(index),
            let known = self.understood[name]?.firstIndex(where: { $0.meaning.value == values[index] })
        else { return }
        self.understood[name]?.remove(at: known)
        if self.understood[name]?.isEmpty ?? false { self.understood[name] = nil }
    }

    /// The meanings that the declarations allow; if they allow none, the likeliest, which is then refused for its
    /// reason.
    private static func allowed(
        _ meanings: [SpokenMeaning],
        by constraints: ParameterConstraints?,
        of typeName: String
    ) -> [SpokenMeaning] {
        guard let constraints, !meanings.isEmpty else { return meanings }
        let allowed = meanings.filter { Self.isAllowed($0.value, by: constraints, of: typeName) }
        return allowed.isEmpty ? [meanings[0]] : allowed
    }

    private static func isAllowed(
        _ value: JSONValue,
        by constraints: ParameterConstraints,
        of typeName: String
    ) -> Bool {
        if let values = constraints.values { return values.contains(value) }
        func isWithin<Key: Comparable>(_ key: (JSONValue) -> Key?) -> Bool {
            guard let value = key(value) else { return true }
            if let minimum = constraints.minimum.flatMap(key), value < minimum { return false }
            if let maximum = constraints.maximum.flatMap(key), value > maximum { return false }
            return true
        }
        return switch typeName {
        case Int.typeName, Double.typeName: isWithin(\.number)
        case CalendarDate.typeName: isWithin { CalendarDate(json: $0) }
        case TimeOfDay.typeName: isWithin { TimeOfDay(json: $0) }
        case OffsetDateTime.typeName: isWithin { OffsetDateTime(json: $0)?.date }
        case TimeSpan.typeName: isWithin { TimeSpan(json: $0)?.seconds }
        default: true
        }
    }
}
