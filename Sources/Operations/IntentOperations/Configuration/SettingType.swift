internal import DeclaredIntents
internal import Foundation
internal import IntentEvents

/// The type of a setting's values.
///
/// It alone decides which texts a setting takes, from wherever they come: what it has read needs no further check.
package indirect enum SettingType: Hashable, Sendable {
    /// Any text that is not empty.
    case text
    /// The beginning of topics' names: so that all of them are names that Kafka takes.
    case topicPrefix
    /// A file or a directory, which need not exist.
    case path
    case integer(ClosedRange<Int>)
    /// A share of something, from 0 to 1.
    case share
    /// A duration, at least this long.
    case duration(atLeast: Duration)
    case choice([String])
    /// One of these, or an address with a scheme. An address holds no password: settings are shown and logged (R52).
    case choiceOrAddress([String])
    /// An address of http or https in which `{trace}` stands for a trace's id, without a password.
    case traceLink
    /// An address of http or https to which a path can be added, without a password.
    case httpAddress
    /// A file, or an address of https; of http only on this machine.
    case keySource
    /// An address of https, or of http on this machine, to which a path can be added, without a password.
    case secureAddress
    /// Where a secret is: `env:NAME` or `file:PATH`; in a file also `{env: NAME}` or `{file: PATH}`, which is read as
    /// the former and shown so by `config show`.
    case secretSource
    /// The address of a server, `HOST:PORT`.
    case serverAddress
    /// The name of a host, without a port.
    case hostName
    /// The address to listen on, `HOST:PORT`, where port 0 is a free one; or `none`.
    case listenAddress
    /// The IANA name of a time zone that this machine knows.
    case timeZone
    /// Several texts of a type; in the environment and on the command line separated by commas.
    case list(of: SettingType)

    private static let maximumTopicBytes = 249
    /// The longest prefix with which each topic's name is one.
    static let maximumPrefixBytes =
        Self.maximumTopicBytes - 1 - (Topic.allCases.map(\.rawValue.utf8.count).max() ?? 0)

    /// The value in a text; nil when the text is invalid.
    package func read(_ text: String) -> SettingValue? {
        // No path, address or name can hold it, and C would end the text there.
        guard !text.utf8.contains(0) else { return nil }
        switch self {
        case .text, .path:
            return text.isEmpty ? nil : .text(text)
        case .topicPrefix:
            return Self.isPrefix(text) ? .text(text) : nil
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
        case .httpAddress:
            return Self.isHTTPAddress(text) ? .text(text) : nil
        case .keySource:
            guard text.contains("://") else { return text.isEmpty ? nil : .text(text) }
            return Self.isSecureAddress(text) ? .text(text) : nil
        case .secureAddress:
            return Self.isSecureAddress(text) ? .text(text) : nil
        case .secretSource:
            return SecretSource(text).map { _ in .text(text) }
        case .serverAddress:
            return BrokerAddress(text).flatMap { $0.port > 0 ? .text(text) : nil }
        case .hostName:
            return Self.isHostName(text) ? .text(text) : nil
        case .listenAddress:
            return text == "none" ? .listen(nil) : BrokerAddress(text).map { .listen($0) }
        case .timeZone:
            return TimeZone(identifier: text).map { _ in .text(text) }
        case .list:
            return self.read(
                text.split(separator: ",").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.map(String.init)
            )
        }
    }

    /// The value of several texts; nil when one of them is invalid, or when this is no list.
    package func read(_ elements: [String]) -> SettingValue? {
        guard case .list(let type) = self, !elements.isEmpty, elements.allSatisfy({ type.read($0) != nil }) else {
            return nil
        }
        return .list(elements)
    }

    package var isList: Bool { if case .list = self { true } else { false } }

    /// A description of valid values, in words that follow "must be".
    package var expectation: String {
        switch self {
        case .text: "a text"
        case .topicPrefix:
            "1 to \(Self.maximumPrefixBytes) letters, digits, dots, underscores and hyphens, because topic names begin with it"
        case .path: "the path of a file or directory"
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
        case .httpAddress:
            "an address such as http://127.0.0.1:4318, of http or https, without password, query or fragment"
        case .keySource:
            "the path of a file, or an address of https such as https://issuer.example/jwks.json "
                + "(http on this machine only), without password, query or fragment"
        case .secureAddress:
            "an address of https such as https://app.example/intents (http on this machine only), without password, "
                + "query or fragment"
        case .secretSource: "env:NAME or file:PATH, where the secret is"
        case .serverAddress: "HOST:PORT, such as localhost:9092"
        case .hostName: "a host name without a port, such as intentd.example"
        case .listenAddress: "HOST:PORT, such as 127.0.0.1:9464, or none"
        case .timeZone: "the name of a time zone, such as Europe/Berlin or UTC"
        case .list(.text): "a list of strings"
        case .list(let type): "a list, each element \(type.expectation)"
        }
    }

    /// An invalid text as messages show it: the beginning of it, and nothing of an address, which may hold a password.
    package func shown(_ text: String) -> String {
        switch self {
        // A secret may have been written in the place of its source.
        case .secretSource, .list(.secretSource): "the given value"
        case .choiceOrAddress, .traceLink, .httpAddress, .keySource, .secureAddress, .serverAddress, .listenAddress,
            .list(.serverAddress), .list(.httpAddress):
            text.contains(":") || text.contains("@") ? "the given value" : "\"\(ShownText.of(text))\""
        default: "\"\(ShownText.of(text))\""
        }
    }

    private static func isPrefix(_ text: String) -> Bool {
        1...Self.maximumPrefixBytes ~= text.utf8.count
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }

    private static func isHostName(_ text: String) -> Bool {
        1...253 ~= text.utf8.count
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }

    private static func isHTTPAddress(_ text: String) -> Bool {
        guard let address = URLComponents(string: text), ["http", "https"].contains(address.scheme),
            URL(string: text) != nil
        else { return false }
        return !(address.host ?? "").isEmpty && address.user == nil && address.password == nil && address.query == nil
            && address.fragment == nil
    }

    /// Whether nobody between this machine and that address can read or exchange what is sent.
    private static func isSecureAddress(_ text: String) -> Bool {
        guard Self.isHTTPAddress(text), let address = URLComponents(string: text), let host = address.host else {
            return false
        }
        return address.scheme == "https" || BrokerAddress(host: host.filter { !"[]".contains($0) }, port: 0).isLoopback
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
