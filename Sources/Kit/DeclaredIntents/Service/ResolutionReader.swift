import IntentKit
import WireRules

/// Reads a service's answer about parameters, and checks it against the definition.
///
/// The definition is a promise to everybody who relies on it: a service's values must keep it as the user's do.
struct ResolutionReader {
    /// The parameters that were asked about.
    let parameters: [ParameterDefinition]
    let intent: IntentSnapshot
    /// The codes that the service may report.
    var codes: Set<String> = []

    /// The outcome of every parameter that was asked about.
    ///
    /// - Throws: The first problem, in the order of the parameters.
    func outcomes(in answer: JSONValue) throws(ValueRule.Problem) -> [String: ParameterOutcome] {
        guard let members = answer["parameters"]?.object else {
            throw Self.problem(["parameters"], "must be an object with an outcome for each parameter that is open")
        }
        var outcomes: [String: ParameterOutcome] = [:]
        for parameter in self.parameters {
            let path = ["parameters", parameter.name]
            guard let json = members[parameter.name] else {
                let names = self.parameters.map(\.name).joined(separator: ", ")
                throw Self.problem(path, "is missing; an outcome is expected for each of \(names)")
            }
            outcomes[parameter.name] =
                try parameter.isList
                ? self.list(json, of: parameter, at: path) : .single(self.outcome(json, of: parameter, at: path))
        }
        return outcomes
    }

    /// The question with which `confirm` or `handle` goes back to a parameter.
    ///
    /// - Throws: The first problem.
    func question(in json: JSONValue) throws(ValueRule.Problem) -> HandlerQuestion {
        let path = ["ask"]
        let name = json["parameter"]?.string ?? ""
        guard let parameter = self.parameters.first(where: { $0.name == name }) else {
            let names = self.parameters.map(\.name).joined(separator: ", ")
            let text = "is \(name.prefix(100)), which the intent does not have; it has \(names)"
            throw Self.problem(path + ["parameter"], text)
        }
        let index = json["at"]?.integer
        let count = parameter.isList ? self.intent.parameters[name]?.array?.count ?? 0 : 0
        if let index, !(0..<Int64(count)).contains(index) {
            throw Self.problem(path + ["at"], "is \(index), but \(name) has \(count) values in a list")
        }
        let outcome = try self.outcome(json, of: parameter, at: path)
        return HandlerQuestion(parameter: name, index: index.map { Int($0) }, outcome: outcome)
    }

    /// The outcomes of a list: one for each value, or one for the whole list.
    private func list(
        _ json: JSONValue,
        of parameter: ParameterDefinition,
        at path: [String]
    ) throws(ValueRule.Problem) -> ParameterOutcome {
        let count = self.intent.parameters[parameter.name]?.array?.count ?? 0
        if let elements = json.array, count > 0 || elements.count != 1 {
            guard elements.count == count, count > 0 else {
                let right =
                    count == 0 ? "one outcome for the whole is expected" : "one for each is expected, in the same order"
                throw Self.problem(path, "has \(elements.count) outcomes for \(count) values; \(right)")
            }
            var outcomes: [ResolutionOutcome] = []
            for (index, element) in elements.enumerated() {
                outcomes.append(try self.outcome(element, of: parameter, at: path + [String(index)]))
            }
            return .perValue(outcomes)
        }
        let json = json.array?.first ?? json
        if json["outcome"] == "success", let values = json["value"]?.array {
            var settled: [JSONValue] = []
            for (index, value) in values.enumerated() {
                settled.append(try self.value(value, of: parameter, at: path + ["value", String(index)]))
            }
            return .single(.success(.array(settled)))
        }
        let outcome = try self.outcome(json, of: parameter, at: path)
        switch outcome.wordless {
        case .needsValue, .notRequired, .unsupported, .saying, .ending: return .single(outcome)
        case .success, .disambiguation, .confirmationRequired:
            guard count == 0 else {
                let text =
                    "speaks for \(count) values; an array is expected, with an outcome for each in the same order"
                throw Self.problem(path, text)
            }
            return .perValue([outcome])
        }
    }

    /// One of the six outcomes, or the end.
    private func outcome(
        _ json: JSONValue,
        of parameter: ParameterDefinition,
        at path: [String]
    ) throws(ValueRule.Problem) -> ResolutionOutcome {
        guard let members = json.object else {
            throw Self.problem(path, "must be an object such as {\"outcome\": \"needsValue\"}, not \(json.kind)")
        }
        let name = members["outcome"]?.string
        guard let rule = ServiceCall.outcomes.first(where: { $0.name == name })?.rule else {
            let names = ServiceCall.outcomes.map(\.name).joined(separator: ", ")
            let given = members["outcome"].map { $0.string.map { "\"\($0.prefix(100))\"" } ?? $0.kind } ?? "missing"
            throw Self.problem(path + ["outcome"], "must be one of \(names), not \(given)")
        }
        if var problem = rule.problem(in: members, .received) {
            problem.path = path + problem.path
            throw problem
        }
        let outcome: ResolutionOutcome
        switch name {
        case "success": return .success(try self.value(json["value"], of: parameter, at: path + ["value"]))
        case "notRequired": return .notRequired
        case "needsValue": outcome = .needsValue
        case "ending": return .ending(ResolutionEnding(try self.ending(members, at: path)))
        case "disambiguation": outcome = .disambiguation(try self.options(json, of: parameter, at: path + ["options"]))
        case "confirmationRequired":
            let option = try self.option(json, of: parameter, at: path)
            outcome = .confirmationRequired(option, try self.reason(json, of: parameter, at: path))
        default: outcome = .unsupported(try self.reason(json, of: parameter, at: path))
        }
        return json["dialog"]?.string.map { .saying(LocalizedText($0), outcome) } ?? outcome
    }

    private func ending(_ members: JSONObject, at path: [String]) throws(ValueRule.Problem) -> HandlerResponse {
        let code = members["code"]?.string ?? ""
        guard self.codes.contains(code), ResolutionEnding.allows(code: code) else {
            let known = self.codes.filter(ResolutionEnding.allows(code:)).sorted().joined(separator: ", ")
            let text = "is \(code.prefix(100)), with which a resolver does not end; it ends with one of \(known)"
            throw Self.problem(path + ["code"], text)
        }
        return HandlerResponse(code: code, reported: .object(members))
    }

    private func options(
        _ json: JSONValue,
        of parameter: ParameterDefinition,
        at path: [String]
    ) throws(ValueRule.Problem) -> [ParameterOption] {
        let options = json["options"]?.array ?? []
        guard options.count <= ServiceCall.maximumOptions else {
            throw Self.problem(path, "has \(options.count) values; \(ServiceCall.maximumOptions) at most are expected")
        }
        var settled: [ParameterOption] = []
        for (index, option) in options.enumerated() {
            let path = path + [String(index)]
            // No type has values with these members.
            if let members = option.object, members["value"] != nil, members["title"] != nil {
                if var problem = ServiceCall.option.problem(in: members, .received) {
                    problem.path = path + problem.path
                    throw problem
                }
                settled.append(try self.option(option, of: parameter, at: path))
            } else {
                settled.append(ParameterOption(try self.value(option, of: parameter, at: path)))
            }
        }
        return settled
    }

    /// The member `value` with its words, if there is a title.
    private func option(
        _ json: JSONValue,
        of parameter: ParameterDefinition,
        at path: [String]
    ) throws(ValueRule.Problem) -> ParameterOption {
        let value = try self.value(json["value"], of: parameter, at: path + ["value"])
        guard let title = json["title"]?.string else { return ParameterOption(value) }
        let subtitle = json["subtitle"]?.string
        let image = json["image"]?.string.map { DisplayRepresentation.Image.url($0) }
        let synonyms = (json["synonyms"]?.array ?? []).compactMap(\.string)
        let limit = DisplayRepresentation.maximumTextBytes
        for (name, texts) in [("title", [title]), ("subtitle", [subtitle].compactMap(\.self)), ("synonyms", synonyms)]
        where texts.contains(where: { $0.utf8.count > limit }) {
            throw Self.problem(path + [name], "has a text of more than \(limit) bytes")
        }
        guard synonyms.count <= DisplayRepresentation.maximumSynonyms else {
            let most = DisplayRepresentation.maximumSynonyms
            throw Self.problem(path + ["synonyms"], "has \(synonyms.count) texts; \(most) at most are expected")
        }
        guard image?.isAllowed ?? true else {
            let most = DisplayRepresentation.maximumImageBytes
            let form = "must be an address that begins with https:, http: or data:, of at most \(most) bytes"
            throw Self.problem(path + ["image"], form)
        }
        // They are in the language of the request, whatever that is.
        let display = DisplayRepresentation(
            title: LocalizedText(title),
            subtitle: subtitle.map { LocalizedText($0) },
            image: image,
            synonyms: synonyms.map { LocalizedText($0) }
        )
        return ParameterOption(value, display: display)
    }

    /// A value in its canonical form.
    private func value(
        _ json: JSONValue?,
        of parameter: ParameterDefinition,
        at path: [String]
    ) throws(ValueRule.Problem) -> JSONValue {
        let json = json ?? .null
        if parameter.isAny(json) { return json }
        guard let value = parameter.type.canonical(json), !parameter.type.isMissing(value) else {
            // The value may be the user's secret: only its kind is reported.
            let given = json.string?.isMissing == true ? "an empty string" : json.kind
            throw Self.problem(path, "must be a \(parameter.type.rawValue), not \(given) that is none")
        }
        if let allowed = parameter.values, !allowed.contains(value) {
            throw Self.problem(path, "is none of the values that the definition lists for \(parameter.name)")
        }
        if let reason = parameter.reason(against: value) {
            throw Self.problem(path, "breaks the definition's own rules for \(parameter.name): \(reason.name)")
        }
        return value
    }

    private func reason(
        _ json: JSONValue,
        of parameter: ParameterDefinition,
        at path: [String]
    ) throws(ValueRule.Problem) -> ReasonDescription? {
        guard let name = json["reason"]?.string else { return nil }
        guard let code = parameter.reasons[name] else {
            let names = parameter.reasons.keys.sorted().joined(separator: ", ")
            let known = names.isEmpty ? "it declares none" : "it has \(names)"
            let text = "is \(name.prefix(100)), which is none of the reasons of \(parameter.name): \(known)"
            throw Self.problem(path + ["reason"], text)
        }
        return ReasonDescription(code: code, name: name)
    }

    private static func problem(_ path: [String], _ text: String) -> ValueRule.Problem {
        ValueRule.Problem(path: path, text: text)
    }
}
