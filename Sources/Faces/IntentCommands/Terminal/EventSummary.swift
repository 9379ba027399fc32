import IntentEvents
import IntentKit
import IntentRuntime

/// A summary of an event in a few words for people.
enum EventSummary {
    /// The words; the data is masked already.
    static func text(_ event: Event) -> String {
        let data = event.data
        switch event.knownType {
        case .intentRequested: return Self.intent(data["intent"])
        case .promptIssued:
            let about = [data["kind"]?.string, Self.parameter(data), data["reason"]?["name"]?.string]
            let dialog = data["dialog"]?.string.map { "\u{201C}\($0)\u{201D}" }
            let texts = OptionDisplay.all(in: data)?.map(\.text) ?? (data["options"]?.array ?? []).map(Self.value)
            let options = texts.isEmpty ? nil : "[\(texts.joined(separator: " | "))]"
            return (about + [dialog, options, Self.warnings(data)]).compactMap(\.self).joined(separator: " ")
        case .promptAnswered:
            let value = data["value"].map(Self.value)
            let choice = data["choice"]?.integer.map { "choice \($0)" }
            let corrections = data["corrections"]?.object.map { "corrections \(Self.members($0))" }
            return [data["action"]?.string, value, choice, corrections].compactMap(\.self).joined(separator: " ")
        case .intentResponded:
            let end = data["terminal"]?.bool == false ? "(in progress)" : data["endReason"]?.string
            let parts = [data["phase"], data["status"], data["code"]].map { $0?.string }
            let about = [end, Self.intent(data["intent"]), Self.started(data), Self.warnings(data)]
            return (parts + about).compactMap(\.self).joined(separator: " ")
        case .statusUpdated where data["started"] != nil: return Self.started(data) ?? ""
        case .followUpScheduled:
            let what = data["intent"].map { Self.intent($0) } ?? "notification"
            let user = data["for"]?.string.map { "for \($0)" }
            let at = data["at"]?.integer.map { "at \(Timestamp(milliseconds: $0))" }
            return [data["name"]?.string, what, user, at].compactMap(\.self).joined(separator: " ")
        case .userNotified:
            let words = data["dialog"]?.string.map { "\u{201C}\($0)\u{201D}" }
            let details = data["details"]?.object.flatMap { $0.isEmpty ? nil : Self.members($0) }
            return [data["name"]?.string, words, details].compactMap(\.self).joined(separator: " ")
        case .eventRejected:
            let why = [data["reason"], data["detail"]].compactMap { $0?.string }.joined(separator: ": ")
            return [why, Self.warnings(data)].compactMap(\.self).joined(separator: " ")
        case .userActivityCreated:
            return [data["activityType"], data["title"]].compactMap { $0?.string }.joined(separator: " ")
        case .turnJournaled:
            let parts = [data["outcome"], data["event"]?["type"], data["handler"]?["name"]].map { $0?.string }
            let warnings = data["warnings"]?.array.map { $0.count == 1 ? "1 warning" : "\($0.count) warnings" }
            return ([event.stage?.rawValue] + parts + [warnings]).compactMap(\.self).joined(separator: " ")
        case .vocabularyReplaced:
            return "\(data["type"]?.string ?? "") \(data["strings"]?.array?.count ?? 0) strings"
        case .interactionReturned:
            return [
                data["corrections"]?.object.map { "corrections \(Self.members($0))" },
                Self.intent(data["interaction"]?["intent"]),
            ]
            .compactMap(\.self).joined(separator: " ")
        case .intentResolved, .intentConfirmed: return Self.intent(data["intent"] ?? data["interaction"]?["intent"])
        default: return Self.members((data.object ?? [:]).filter { $0.key != "user" })
        }
    }

    /// What the client probably did not mean (R79); nil when there is nothing.
    private static func warnings(_ data: JSONValue) -> String? {
        let details = (data["warnings"]?.array ?? []).compactMap { $0["detail"]?.string }
        return details.isEmpty ? nil : "(warnings: \(details.joined(separator: " ")))"
    }

    /// What a handler has started, or what is not sent of it (R77); nil when there is nothing.
    private static func started(_ data: JSONValue) -> String? {
        let started = (data["started"]?.array ?? [])
            .map { one in
                let parts = ["name", "intent", "state"].compactMap { one[$0]?.string }
                let user = one["user"]?.string.map { "for \($0)" }
                return (parts + [user, one["at"]?.string.map { "at \($0)" }].compactMap(\.self)).joined(separator: " ")
            }
        return started.isEmpty ? nil : "(started: \(started.joined(separator: ", ")))"
    }

    private static func parameter(_ data: JSONValue) -> String? {
        guard let name = data["parameter"]?.string else { return nil }
        return data["index"]?.integer.map { "\(name)[\($0)]" } ?? name
    }

    private static func intent(_ intent: JSONValue?) -> String {
        guard let intent, let name = intent["name"]?.string else { return "" }
        guard let parameters = intent["parameters"]?.object, !parameters.isEmpty else { return name }
        return "\(name) \(Self.members(parameters))"
    }

    private static func members(_ members: JSONObject) -> String {
        let parts = members.filter { !$0.value.isNull }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(Self.value($0.value))" }
        return "{\(parts.joined(separator: ", "))}"
    }

    /// A value in a few words: a person by name, an amount with its currency.
    static func value(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        case .array(let elements): return "[\(elements.map(Self.value).joined(separator: ", "))]"
        case .object(let members):
            for name in ["displayName", "spokenPhrase", "name"] {
                if let text = members[name]?.string, !text.isEmpty { return text }
            }
            if let amount = members["amount"]?.string, let currency = members["currencyCode"]?.string {
                return "\(amount) \(currency)"
            }
            return value.description
        case .null, .bool, .integer, .number: return value.description
        }
    }
}
