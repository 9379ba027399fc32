package import IntentEvents
package import IntentKit
internal import IntentRuntime
internal import WireDocuments
internal import WireRules

/// Generates events from the descriptions that clients rely on (``EventRule``): valid ones, almost valid ones, and ones
/// with extreme values.
///
/// Changes of single bytes do not produce a number at its limit, the id of an open prompt, or a name that equals
/// another one in Unicode: those are generated here. The same seed generates the same events.
package struct EventMaker {
    /// The senders: some names are equal in Unicode and have different bytes.
    package var users = ["u1", "u2", "\u{212A}im", "Kim", "s\u{E9}an", "se\u{301}an"]
    /// The interactions that they are about.
    package var subjects = ["s1", "s2", "s1~1", "s\u{E9}", "se\u{301}"]
    /// The intents that are asked for, with their parameters.
    package var intents: [(name: String, parameters: [(name: String, type: String)])] = []
    private var choices: ByteMutator

    /// Creates a sequence.
    package init(seed: UInt64) { self.choices = ByteMutator(seed: seed) }

    /// Generates the next event, as a client would write it: headers and a value.
    ///
    /// - Parameter prompts: Prompts that may be open, with their users.
    /// - Returns: Its type, its sender, and the record.
    package mutating func event(
        prompts: [(id: String, user: String)] = []
    ) -> (type: EventType, user: String, record: Record) {
        // Most of them are types that clients may write; the rest only intentd may write.
        let types = EventType.allCases.filter { $0.isInbound || self.happens(1, of: 8) }
        let type = self.happens(1, of: 3) ? .promptAnswered : self.pick(types)
        let prompt = prompts.isEmpty ? nil : self.pick(prompts)
        let isAnswer = type == .promptAnswered && self.happens(3, of: 4)
        let user = isAnswer ? prompt?.user ?? self.pick(self.users) : self.pick(self.users)
        var data = self.value(for: .object(EventRule.of(type).data), prompt.map { [$0.id] } ?? [], depth: 0)
        if case .object(var members) = data {
            members["user"] = self.happens(1, of: 8) ? members["user"] : ["id": .string(user)]
            if type == .intentRequested, !self.intents.isEmpty { members["intent"] = self.intent() }
            data = .object(members)
        }
        var headers = [
            LogHeader(EventHeaderName.type, type.rawValue), LogHeader(EventHeaderName.userID, user),
            LogHeader(EventHeaderName.subject, self.pick(self.subjects)),
        ]
        if self.happens(1, of: 6) { headers.append(self.oddHeader()) }
        return (type, user, Record(headers: headers, value: data.utf8))
    }

    /// An event's record, without its position.
    package struct Record: Sendable {
        /// The headers.
        package var headers: [LogHeader]
        /// The value.
        package var value: [UInt8]
    }

    // MARK: Values

    private mutating func value(for rule: ValueRule, _ prompts: [String], depth: Int) -> JSONValue {
        guard depth < 8, !self.happens(1, of: 24) else { return self.odd() }
        switch rule {
        case .any: return self.odd()
        case .text(let form): return .string(self.text(form, prompts))
        case .choice(let choices): return .string(self.pick(choices))
        case .boolean: return .bool(self.happens(1, of: 2))
        case .integer(let minimum, let maximum):
            let low = minimum ?? .min
            let high = maximum ?? .max
            return .integer(self.pick([low, high, low &- 1, high &+ 1, 0, 1] + Self.integers))
        case .number: return .number(self.pick(Self.numbers))
        case .object(let object):
            var members: JSONObject = [:]
            for member in object.members where self.happens(member.isRequired ? 15 : 8, of: 16) {
                members[member.name] = self.value(for: member.value, prompts, depth: depth + 1)
            }
            return .object(members)
        case .map(let rule):
            let names = ["name", "item", "x", ""]
            return .object([self.pick(names): self.value(for: rule, prompts, depth: depth + 1)])
        case .list(let rule):
            return .array((0..<self.choices.below(4)).map { _ in self.value(for: rule, prompts, depth: depth + 1) })
        case .either(let rules): return self.value(for: self.pick(rules), prompts, depth: depth)
        case .orNull(let rule):
            return self.happens(1, of: 4) ? .null : self.value(for: rule, prompts, depth: depth)
        case .shared(_, let rule): return self.value(for: rule, prompts, depth: depth)
        }
    }

    private mutating func text(_ form: TextForm, _ prompts: [String]) -> String {
        switch form.description {
        case TextForm.promptID.description: self.promptID(prompts)
        case TextForm.time.description, TextForm.ownTime.description:
            self.pick(Self.ends["dateTime"]?.compactMap(\.string) ?? [])
        case TextForm.request.description:
            self.pick(["0:0", "0:1", "-1:-1", "9223372036854775807:9223372036854775807"])
        case TextForm.position.description: self.pick(["requests/0/0", "requests/0/-9223372036854775808"])
        default: self.pick(self.users + self.subjects + ["", "x", "success", "phone", "contactName"])
        }
    }

    /// The id of a prompt: one that may be open, usually with another number.
    private mutating func promptID(_ prompts: [String]) -> String {
        // An open one is as likely as all the others.
        guard prompts.isEmpty || self.happens(1, of: 2) else { return self.renumbered(self.pick(prompts)) }
        let known = self.subjects.flatMap { subject in ["r", "c", "h"].map { "\(subject)/\($0)/1" } }
        return self.renumbered(self.pick(known))
    }

    private mutating func renumbered(_ id: String) -> String {
        guard self.happens(2, of: 3), let slash = id.lastIndex(of: "/") else { return id }
        return id[...slash] + self.pick(Self.integers.map(String.init) + ["9223372036854775808", "", "1e3"])
    }

    private mutating func intent() -> JSONValue {
        let intent = self.pick(self.intents)
        var parameters: JSONObject = [:]
        for (name, type) in intent.parameters where self.happens(2, of: 3) {
            let isList = type.hasPrefix("[")
            let ends = Self.ends[type.filter { $0 != "[" && $0 != "]" }] ?? Self.oddities
            let value = self.pick(self.happens(1, of: 6) ? Self.oddities : ends)
            parameters[name] = isList && self.happens(5, of: 6) ? [value, self.pick(ends)] : value
        }
        return ["name": .string(intent.name), "parameters": .object(parameters)]
    }

    private mutating func odd() -> JSONValue { self.pick(Self.anything) }

    private mutating func oddHeader() -> LogHeader {
        let name = self.pick([
            "ce_id", "ce_time", "ce_subject", "ce_userid", "ce_stage", "ce_request", "ce_redriveof", "ce_intentdscript",
            "traceparent", "content-type", "x",
        ])
        switch self.choices.below(4) {
        case 0: return LogHeader(name, bytes: nil)
        case 1: return LogHeader(name, bytes: [0xFF, 0])
        case 2: return LogHeader(name, String(repeating: "h", count: self.pick([1_024, 1_025, 70_000])))
        default:
            return LogHeader(
                name,
                self.pick(["resolve", "0:0", "-9223372036854775808", "application/cloudevents+json"])
            )
        }
    }

    // MARK: Ends

    private static let integers: [Int64] = [
        .min, .min + 1, .max, .max - 1, -1, 0, 1, 2, 1 << 31, 1 << 32, 1 << 53, (1 << 53) + 1,
    ]
    private static let numbers: [Double] = [
        0, -0.0, 1, -1, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0x1p53, 0x1p63,
        -0x1p63, 0x1p64, 1e19,
    ]

    /// Extreme values, by the parameter's type; each is of the type or almost.
    package static let ends: [String: [JSONValue]] = [
        "integer": Self.integers.map(JSONValue.integer) + Self.numbers.map(JSONValue.number)
            + ["9223372036854775807", "-9223372036854775808", "9223372036854775808"],
        "number": Self.numbers.map(JSONValue.number) + Self.integers.map(JSONValue.integer),
        "boolean": [true, false, 0, 1],
        "string": ["", " ", "\u{0}", "\u{301}", "\u{212A}", .string(String(repeating: "x", count: 65_537))],
        "date": ["0000-01-01", "9999-12-31", "2024-02-29", "2023-02-29", "0000-02-29", "-001-01-01"],
        "time": ["00:00", "23:59:59.999999999999", "23:59:60", "24:00", "00:00:00.0000000000000000000001"],
        "dateTime": [
            "0000-01-01T00:00:00Z", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999Z",
            "9999-12-31T23:59:59-23:59", "2026-02-31T00:00:00Z", "2026-11-21T12:30:60Z", "1970-01-01T00:00:00Z",
            "2026-11-21T12:30:00.99999999999999999999Z",
        ],
        "duration": [
            "PT0S", "PT99999999999999999999999999999999999999S", "P9223372036854775807W", "PT0.000000000000000001S",
            "P9999999999999999999DT9999999999999999999H9999999999999999999M", "P", "PT", "-PT1S",
        ],
        "currencyAmount": [
            "0", "-0", "0.01", "99999999999999999999999999999999", "-99999999999999999999999999999999",
            "9223372036854775807", "92233720368547758.07", "92233720368547758.08", "-9223372036854775808",
            "0.0000000000000000000000000000001",
        ]
        .flatMap { amount in
            ["EUR", "JPY", "KWD", "XXX"].map { ["amount": .string(amount), "currencyCode": .string($0)] as JSONValue }
        },
        "place": [
            ["name": "n", "latitude": 90, "longitude": 180], ["name": "n", "latitude": -90, "longitude": -180],
            ["name": "n", "latitude": 0, "longitude": -0.0], ["name": "n", "latitude": 90.000001, "longitude": 0],
            ["name": "n", "latitude": 1e-300, "longitude": 1e308], ["name": "", "latitude": 0, "longitude": 0],
        ],
        "person": [
            ["spokenPhrase": ""], ["handle": ["value": "", "type": "phoneNumber"]], ["identifier": "\u{0}"],
            "\u{212A}im",
        ],
        "speakableString": ["", ["spokenPhrase": "", "identifier": ""]],
        "dateRange": [
            ["start": "9999-12-31T23:59:59-23:59", "end": "0000-01-01T00:00:00+23:59"], ["start": "0000-01-01"],
            ["end": "9999-12-31"],
        ],
        "enum": ["", "unknown", 0],
    ]

    private static let oddities: [JSONValue] = [
        .null, true, "", "x", [], [:], [[]], [.null], ["": .null], .integer(.min), .integer(.max), 1e308,
        .array(Array(repeating: 0, count: 1_001)),
    ]

    /// All of the above, in a fixed order.
    private static let anything = Self.oddities + Self.ends.sorted { $0.key < $1.key }.flatMap(\.value)

    // MARK: Choosing

    private mutating func happens(_ count: Int, of all: Int) -> Bool { self.choices.below(all) < count }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[self.choices.below(elements.count)]
    }
}
