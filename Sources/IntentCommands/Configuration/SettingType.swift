import IntentConsole
import Foundation

/// The type of a setting's values.
enum SettingType: Hashable, Sendable {
    /// Any text that is not empty.
    case text
    /// A whole number within bounds.
    case integer(ClosedRange<Int>)
    /// A share of something, from 0 to 1.
    case share
    /// A duration, at least this long.
    case duration(atLeast: Duration)
    /// One of these.
    case choice([String])
    /// One of these, or an address with a scheme. An address holds no password: settings are shown and logged (R52).
    case choiceOrAddress([String])
    /// An address of http or https in which `{trace}` stands for a trace's id, without a password.
    case traceLink
    /// Several texts; in the environment and on the command line separated by commas.
    case list

    /// The value in a text; nil when the text is invalid.
    func read(_ text: String) -> SettingValue? {
        switch self {
        case .text:
            return text.isEmpty ? nil : .text(text)
        case .integer(let range):
            guard let number = Int(text), range.contains(number) else { return nil }
            return .integer(number)
        case .share:
            guard let share = Double(text), (0...1).contains(share) else { return nil }
            return .share(share)
        case .duration(let minimum):
            guard let duration = DurationText.read(text), duration >= minimum else { return nil }
            return .duration(duration)
        case .choice(let choices):
            return choices.contains(text) ? .text(text) : nil
        case .choiceOrAddress(let choices):
            return choices.contains(text) || Self.isAddress(text) ? .text(text) : nil
        case .traceLink:
            return TraceLink(text).map { _ in .text(text) }
        case .list:
            let elements = text.split(separator: ",").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
            return elements.isEmpty ? nil : .list(elements.map(String.init))
        }
    }

    /// A description of valid values, in words that follow "must be".
    var expectation: String {
        switch self {
        case .text: "a text"
        case .integer(let range):
            range.lowerBound == range.upperBound
                ? "\(range.lowerBound)"
                : range.upperBound == .max
                    ? "a whole number of at least \(range.lowerBound)"
                    : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .share: "a number from 0 to 1"
        case .duration(let minimum):
            "a duration such as 100ms, 30s, 5m, 24h or 7d, at least \(DurationText.write(minimum))"
        case .choice(let choices): choices.joined(separator: " or ")
        case .choiceOrAddress(let choices):
            choices.joined(separator: " or ")
                + ", or an address without password, such as postgresql://user@host/database"
        case .traceLink:
            "an address of http or https with {trace} behind its host, without password, such as "
                + "http://localhost:16686/trace/{trace}"
        case .list: "a list of texts"
        }
    }

    /// An invalid text as messages show it: an address may hold a password.
    func shown(_ text: String) -> String {
        switch self {
        case .choiceOrAddress, .traceLink: text.contains(":") ? "what is written there" : "\"\(text)\""
        default: "\"\(text)\""
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        guard let colon = text.range(of: "://"), colon.lowerBound > text.startIndex,
            text[..<colon.lowerBound].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return false }
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let user = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
        let keys = rest.split(separator: "?", maxSplits: 1).dropFirst().first?.split(separator: "&") ?? []
        return !user.contains(":")
            && !keys.contains { key in
                let name = key.prefix { $0 != "=" }
                return name.lowercased() == "password" || name.contains("%")
            }
    }
}
