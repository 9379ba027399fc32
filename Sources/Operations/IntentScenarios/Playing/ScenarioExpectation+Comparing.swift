internal import IntentEvents
internal import IntentKit

extension ScenarioExpectation {
    /// The differences between the expected and the actual result; empty when there are none.
    ///
    /// - Parameter transcript: A conversation with its terminal response.
    /// - Returns: Each difference in words.
    package func differences(from transcript: ConversationTranscript) -> [String] {
        let terminal = transcript.terminal ?? .null
        var differences: [String] = []
        func compare(_ name: String, _ expected: String?, _ actual: String?) {
            guard expected != actual else { return }
            differences.append("\(name): expected \(expected ?? "none"), got \(actual ?? "none")")
        }
        switch self.code {
        case nil: break
        case .some(.none): compare("code", nil, terminal["code"]?.string)
        case .named(let name): compare("code", name, terminal["code"]?.string)
        }
        if let status = self.status { compare("status", status, terminal["status"]?.string) }
        if let endReason = self.endReason { compare("endReason", endReason, terminal["endReason"]?.string) }
        if let prompts = self.prompts {
            compare("prompts", Self.list(prompts), Self.list(transcript.promptNames))
        }
        if let rejections = self.rejections {
            let reasons = transcript.rejections.map { $0["reason"]?.string ?? "?" }
            compare("rejections", Self.list(rejections.sorted()), Self.list(reasons.sorted()))
        }
        if let effects = self.effects { compare("effects", Self.list(effects), Self.texts(terminal["effects"])) }
        if let started = self.started {
            let names = transcript.responses.flatMap { $0["started"]?.array ?? [] }.compactMap { $0["name"]?.string }
            compare("started", Self.list(started), Self.list(names))
        }
        if let ignored = self.ignoredParameters {
            let names = (terminal["ignoredParameters"]?.array ?? []).compactMap(\.string)
            compare("ignoredParameters", Self.list(ignored.sorted()), Self.list(names.sorted()))
        }
        if let warnings = self.warnings {
            let members = transcript.warnings.map { $0["member"]?.string ?? "?" }
            compare("warnings", Self.list(warnings.sorted()), Self.list(members.sorted()))
        }
        if let parameters = self.parameters {
            differences += Self.differences(expected: parameters, terminal: terminal)
        }
        return differences
    }

    /// Compares the values with which `handle` ran.
    private static func differences(expected: JSONObject, terminal: JSONValue) -> [String] {
        guard terminal["phase"]?.string == Stage.handle.rawValue else {
            let phase = terminal["phase"]?.string ?? "?"
            let reason = terminal["endReason"]?.string ?? "?"
            return ["parameters: handle did not run; the interaction ended in \(phase) (\(reason))"]
        }
        let actual = terminal["intent"]?["parameters"]?.object ?? [:]
        return Set(expected.keys).union(actual.keys).sorted()
            .compactMap { name in
                guard expected[name] != actual[name] else { return nil }
                let wanted = expected[name].map(\.description) ?? "nothing"
                return "parameters.\(name): expected \(wanted), got \(actual[name].map(\.description) ?? "nothing")"
            }
    }

    private static func list(_ values: [String]) -> String { "[" + values.joined(separator: ", ") + "]" }

    private static func texts(_ value: JSONValue?) -> String {
        Self.list((value?.array ?? []).map { $0.string ?? $0.description })
    }
}
