internal import IntentEvents
internal import IntentKit

/// Reads one scenario, and finds everything that is wrong with it.
struct ScenarioReader {
    private static let members: Set<String> = [
        "answers", "choices", "confirmations", "device", "expect", "expiresAt", "groupIdentifier", "intent", "locale",
        "name", "service", "steps", "timeZone", "user", "volunteered",
    ]
    private static let userMembers: Set<String> = ["id", "authorization", "authenticated", "contactsAccess"]

    private(set) var problems: [ScenarioError] = []
    private let json: JSONValue
    private let line: Int

    init(_ json: JSONValue, line: Int) {
        self.json = json
        self.line = line
    }

    /// The scenario; nil when an essential part is missing.
    mutating func read() -> Scenario? {
        guard self.object("", self.json, allowing: Self.members) != nil else { return nil }
        let name = self.required("name", self.json["name"]) { $0.text($1, $2) }
        let user = self.readUser(self.json["user"])
        let intent = self.readIntent(self.json["intent"])
        var scenario = Scenario(
            name: name ?? "",
            userID: UserID(user?.id ?? ""),
            intent: intent ?? IntentSnapshot(name: "")
        )
        scenario.userDetails = user?.details ?? [:]
        scenario.locale = self.text("locale", self.json["locale"])
        scenario.timeZone = self.text("timeZone", self.json["timeZone"])
        scenario.device = self.object("device", self.json["device"]).map(JSONValue.object)
        scenario.groupIdentifier = self.text("groupIdentifier", self.json["groupIdentifier"])
        scenario.expiresAt = self.text("expiresAt", self.json["expiresAt"])
        scenario.answers = self.object("answers", self.json["answers"]) ?? [:]
        scenario.volunteered = self.object("volunteered", self.json["volunteered"]) ?? [:]
        scenario.choices = self.readChoices(self.json["choices"])
        scenario.confirmations = self.readConfirmations(self.json["confirmations"])
        scenario.service = self.text("service", self.json["service"])
        scenario.steps = self.readSteps(self.json["steps"])
        scenario.expect = self.readExpectation(self.json["expect"])
        return name == nil || user == nil || intent == nil ? nil : scenario
    }

    /// Records what is wrong with a field.
    mutating func record(_ field: String, _ message: String) {
        self.problems.append(ScenarioError(line: self.line, field: field, message: message + "."))
    }

    // MARK: Parts

    private mutating func readUser(_ value: JSONValue?) -> (id: String, details: JSONObject)? {
        guard let value, !value.isNull else {
            self.record("user", "it is missing; it is the user's id, such as \"anna\"")
            return nil
        }
        if let id = value.string { return self.isEmpty("user", id) ? nil : (id, [:]) }
        guard var details = self.object("user", value, allowing: Self.userMembers) else { return nil }
        let id = self.required("user.id", details.removeValue(forKey: "id")) { $0.text($1, $2) }
        return id.map { ($0, details) }
    }

    private mutating func readIntent(_ value: JSONValue?) -> IntentSnapshot? {
        guard let value, !value.isNull else {
            self.record("intent", "it is missing; it is an object with `name` and `parameters`")
            return nil
        }
        guard let members = self.object("intent", value, allowing: ["name", "parameters"]) else { return nil }
        let name = self.required("intent.name", members["name"]) { $0.text($1, $2) }
        let parameters = self.object("intent.parameters", members["parameters"]) ?? [:]
        return name.map { IntentSnapshot(name: $0, parameters: parameters) }
    }

    private mutating func readChoices(_ value: JSONValue?) -> [String: ScenarioChoice] {
        var choices: [String: ScenarioChoice] = [:]
        for (name, value) in (self.object("choices", value) ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch value {
            case .integer(let index) where index >= 0: choices[name] = .index(Int(index))
            case .string(let text): choices[name] = .text(text)
            case .null, .bool, .integer, .number, .array, .object:
                self.record("choices.\(name)", "\(value) is neither an index from 0 nor the text of an option")
            }
        }
        return choices
    }

    private mutating func readConfirmations(_ value: JSONValue?) -> [ScenarioConfirmation] {
        var confirmations: [ScenarioConfirmation] = []
        for (index, value) in (self.array("confirmations", value) ?? []).enumerated() {
            let field = "confirmations[\(index)]"
            guard let members = self.object(field, value, allowing: ["action", "corrections"]) else { continue }
            let text = self.text("\(field).action", members["action"]) ?? ""
            guard let action = ScenarioConfirmation.Action(rawValue: text) else {
                self.record("\(field).action", "\(text.isEmpty ? "it" : text) is neither accept nor decline")
                continue
            }
            let corrections = self.object("\(field).corrections", members["corrections"]) ?? [:]
            confirmations.append(ScenarioConfirmation(action, corrections: corrections))
        }
        return confirmations
    }

    private mutating func readSteps(_ value: JSONValue?) -> [ScenarioStep]? {
        guard let values = self.array("steps", value) else { return nil }
        return values.enumerated().compactMap { self.readStep("steps[\($0)]", $1) }
    }

    private mutating func readStep(_ field: String, _ value: JSONValue) -> ScenarioStep? {
        let known: Set<String> = [
            "type", "data", "afterPrompt", "afterResponse", "afterRejection", "prompt", "repeat", "from", "subject",
        ]
        guard let members = self.object(field, value, allowing: known) else { return nil }
        guard let type = self.required("\(field).type", members["type"], { $0.text($1, $2) }) else { return nil }
        if EventType(rawValue: type)?.isInbound == false {
            self.record("\(field).type", "only intentd writes \(type)")
        }
        var step = ScenarioStep(type: type, data: self.object("\(field).data", members["data"]) ?? [:])
        step.afterPrompt = self.count("\(field).afterPrompt", members["afterPrompt"])
        step.afterResponse = self.count("\(field).afterResponse", members["afterResponse"])
        step.afterRejection = self.count("\(field).afterRejection", members["afterRejection"])
        step.prompt = self.count("\(field).prompt", members["prompt"])
        step.repetitions = self.count("\(field).repeat", members["repeat"]) ?? 1
        step.from = self.text("\(field).from", members["from"]).map { UserID($0) }
        step.subject = self.text("\(field).subject", members["subject"]).map { InteractionID($0) }
        if type == EventType.promptAnswered.rawValue, step.answeredPrompt == nil, step.data["promptId"] == nil {
            self.record(
                field,
                "it does not say which prompt it answers: set `afterPrompt`, `prompt` or `data.promptId`"
            )
        }
        return step
    }

    private mutating func readExpectation(_ value: JSONValue?) -> ScenarioExpectation {
        var expect = ScenarioExpectation()
        let known: Set<String> = [
            "code", "status", "endReason", "parameters", "prompts", "rejections", "effects", "ignoredParameters",
            "warnings", "started",
        ]
        guard let members = self.object("expect", value, allowing: known) else { return expect }
        switch members["code"] {
        case nil: break
        case .null: expect.code = ScenarioExpectation.Code.none
        case .some(let code): expect.code = self.text("expect.code", code).map(ScenarioExpectation.Code.named)
        }
        expect.status = self.text("expect.status", members["status"])
        expect.endReason = self.text("expect.endReason", members["endReason"])
        expect.parameters = self.object("expect.parameters", members["parameters"])
        expect.prompts = self.texts("expect.prompts", members["prompts"])
        expect.rejections = self.texts("expect.rejections", members["rejections"])
        expect.effects = self.texts("expect.effects", members["effects"])
        expect.started = self.texts("expect.started", members["started"])
        expect.ignoredParameters = self.texts("expect.ignoredParameters", members["ignoredParameters"])
        expect.warnings = self.texts("expect.warnings", members["warnings"])
        return expect
    }

    // MARK: Values

    private mutating func required<Value>(
        _ field: String,
        _ value: JSONValue?,
        _ read: (inout Self, String, JSONValue?) -> Value?
    ) -> Value? {
        guard let value, !value.isNull else {
            self.record(field, "it is missing")
            return nil
        }
        return read(&self, field, value)
    }

    private mutating func isEmpty(_ field: String, _ text: String) -> Bool {
        if text.isEmpty { self.record(field, "it is empty") }
        return text.isEmpty
    }

    private mutating func text(_ field: String, _ value: JSONValue?) -> String? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string else {
            self.record(field, "it is \(value.kind); it should be a string")
            return nil
        }
        return self.isEmpty(field, text) ? nil : text
    }

    private mutating func texts(_ field: String, _ value: JSONValue?) -> [String]? {
        guard let values = self.array(field, value) else { return nil }
        return values.enumerated().compactMap { self.text("\(field)[\($0)]", $1) }
    }

    private mutating func count(_ field: String, _ value: JSONValue?) -> Int? {
        guard let value, !value.isNull else { return nil }
        guard let count = value.integer, (1...1_000).contains(count) else {
            self.record(field, "\(value) is not a whole number from 1 to 1000")
            return nil
        }
        return Int(count)
    }

    private mutating func array(_ field: String, _ value: JSONValue?) -> [JSONValue]? {
        guard let value, !value.isNull else { return nil }
        if value.array == nil { self.record(field, "it is \(value.kind); it should be an array") }
        return value.array
    }

    private mutating func object(
        _ field: String,
        _ value: JSONValue?,
        allowing known: Set<String>? = nil
    ) -> JSONObject? {
        guard let value, !value.isNull else { return nil }
        guard let members = value.object else {
            self.record(field, "it is \(value.kind); it should be an object")
            return nil
        }
        if let known {
            for name in members.keys.filter({ !known.contains($0) }).sorted() {
                let path = field.isEmpty ? name : "\(field).\(name)"
                self.record(path, "unknown field; known fields are \(known.sorted().joined(separator: ", "))")
            }
        }
        return members
    }
}
