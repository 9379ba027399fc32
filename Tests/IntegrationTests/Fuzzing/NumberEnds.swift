import IntentEvents
import IntentKit
import IntentRuntime
import IntentLab
import WireDocuments
import WireRules

/// Requests with an extreme number in a parameter: in each parameter that a registry describes, wherever its type's
/// description allows a number.
struct NumberEnds {
    /// A request.
    struct Request {
        /// The intent.
        var intent: String
        /// The parameter that has the number.
        var parameter: String
        /// The event's data but for the user, as JSON.
        var intentJSON: String
    }

    /// Numbers in JSON: some do not fit into 64 bits, some into no number of any size.
    static let numbers = [
        "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808",
        "9007199254740991", "9007199254740993", "-9007199254740993", "1e308", "-1e308", "1.7976931348623157e308",
        "1e-320", "-1e-320", "1e-400", "-0.0", "0", "1e400", "-1E+2147483648", "2.5", "-0.5", "1e19",
        "\(String(repeating: "9", count: 60))",
    ]
    /// Numbers for places where the type allows none: they are refused, whatever they are.
    private static let strayNumbers = ["-9223372036854775808", "1e308", "1e400", "-0.0"]

    /// The values of the other parameters, by type; for an enumeration whichever word fits.
    private static let samples: [String: [String]] = [
        "string": [#""Run""#], "boolean": ["true"], "integer": ["2"], "number": ["5"], "date": [#""2026-12-24""#],
        "time": [#""19:30""#], "dateTime": [#""2026-12-24T19:30:00+01:00""#], "duration": [#""PT20M""#],
        "currencyAmount": [#"{"amount":"12.50","currencyCode":"EUR"}"#], "person": [#""Diana""#],
        "place": [#"{"name":"Home","latitude":1.5,"longitude":2}"#, #""Home""#],
        "dateRange": [#"{"start":"2026-12-24T19:30:00+01:00"}"#], "speakableString": [#""Run""#],
        "enum": [
            "mile", "hour", "meter", "joule", "kiloCalorie", "second", "outdoor", "indoor", "read", "flagged", "text",
            "any", "outgoingMessageText", "audioCall", "videoCall", "missed", "received", "normal", "voicemail",
            "speakerphoneAudioRoute", "pending", "checking",
        ]
        .map { "\"\($0)\"" },
    ]

    private let rules = Dictionary(uniqueKeysWithValues: ParameterValueRules.all.map { ($0.type, $0.rule) })

    /// All requests for these intents.
    func requests(_ registrations: [IntentRegistration]) -> [Request] {
        var requests: [Request] = []
        for registration in registrations {
            for parameter in registration.parameters {
                for value in self.values(of: parameter) {
                    let others = registration.parameters.filter { $0.name != parameter.name }
                        .compactMap { other in
                            Self.sample(of: other, requests.count).map { "\"\(other.name)\":\($0)" }
                        }
                    let parameters = (others + ["\"\(parameter.name)\":\(value)"]).joined(separator: ",")
                    let intent = "{\"name\":\"\(registration.intentName)\",\"parameters\":{\(parameters)}}"
                    requests.append(
                        Request(intent: registration.intentName, parameter: parameter.name, intentJSON: intent)
                    )
                }
            }
        }
        return requests
    }

    /// A value that the parameter accepts; several calls return several values.
    static func sample(of parameter: ParameterDescription, _ number: Int) -> String? {
        let fitting = Self.samples[parameter.typeName, default: []]
            .filter { text in (try? JSONValue(parsing: Array(text.utf8))).map(parameter.accepts) ?? false }
        guard !fitting.isEmpty else { return nil }
        let sample = fitting[number % fitting.count]
        return parameter.isList ? "[\(sample)]" : sample
    }

    private func values(of parameter: ParameterDescription) -> [String] {
        let within = self.rules[parameter.typeName].map(self.values) ?? []
        let ends = EventMaker.ends[parameter.typeName, default: []].map { String(decoding: $0.utf8, as: UTF8.self) }
        let values = within + ends.filter { $0.utf8.count < 1_000 } + Self.strayNumbers
        var seen: Set<String> = []
        return values.filter { seen.insert($0).inserted }.map { parameter.isList ? "[\($0)]" : $0 }
    }

    /// Values that match a rule, or would with other numbers.
    private func values(_ rule: ValueRule) -> [String] {
        switch rule {
        case .number, .integer: return Self.numbers
        case .text(let form) where form.description != TextForm.any.description:
            return Self.numbers.filter(form.accepts).map { "\"\($0)\"" }
        case .object(let object):
            return object.members.flatMap { member in
                let others = object.members.filter { $0.name != member.name }
                    .compactMap { other in self.sample(other.value).map { "\"\(other.name)\":\($0)" } }
                return self.values(member.value)
                    .map { "{" + (["\"\(member.name)\":\($0)"] + others).joined(separator: ",") + "}" }
            }
        case .either(let rules): return rules.flatMap(self.values)
        case .list(let rule): return self.values(rule).map { "[\($0)]" }
        case .orNull(let rule), .shared(_, let rule): return self.values(rule)
        case .any, .text, .choice, .boolean, .map: return []
        }
    }

    /// A value that matches a rule.
    private func sample(_ rule: ValueRule) -> String? {
        Self.samples.sorted { $0.key < $1.key }.flatMap(\.value)
            .first { text in
                (try? JSONValue(parsing: Array(text.utf8))).map { rule.problem(in: $0, .received) == nil } ?? false
            } ?? (rule.problem(in: "EUR", .received) == nil ? "\"EUR\"" : nil)
    }
}
