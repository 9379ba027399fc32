package import IntentKit
internal import IntentOperations
internal import IntentRuntime

/// A prompt as an elicitation of MCP, and the elicitation's result as an answer to the prompt.
package struct PromptElicitation: Sendable {
    /// The data of `prompt.issued`.
    let prompt: JSONValue
    /// The prompt's id, which is the key of the elicitation.
    package let id: String
    /// The intent, for the titles of its parameters; nil for one that is unknown here.
    let intent: IntentDocument?

    /// Reads a prompt; nil for data without an id.
    package init?(_ prompt: JSONValue, of intent: IntentDocument?) {
        guard let id = prompt["promptId"]?.string else { return nil }
        self.prompt = prompt
        self.id = id
        self.intent = intent
    }

    /// The question in the user's language.
    package var dialog: String { self.prompt["dialog"]?.string ?? "" }

    /// Whether the value that is asked for must not pass through the client: MCP allows no form for it.
    package var isSensitive: Bool { self.prompt["accepts"]?["value"]?["sensitive"] == true }

    private var kind: PromptKind? { self.prompt["kind"]?.string.flatMap(PromptKind.init(rawValue:)) }

    // MARK: The form

    /// The parameters of `elicitation/create` in form mode.
    ///
    /// A choice has one member, `choice`, whose titles are those of the options; any other value is in `value`. A
    /// question whether to do it has a member for each parameter with its present value: one that the user changes is a
    /// correction.
    package func form(for revision: MCPClient.Revision) -> JSONObject {
        var properties: JSONObject = [:]
        var required: [JSONValue] = []
        switch self.kind {
        case .confirmationRequired, .unlockRequired, .authenticationRequired, nil: break
        case .intentConfirmation: properties = self.parameters.mapValues { self.property($0) }
        case .needsValue, .disambiguation, .unsupported:
            let choices = self.choices
            if !choices.isEmpty { properties["choice"] = .object(self.choice(choices, revision)) }
            properties["value"] = .object(self.value(isOther: !choices.isEmpty))
            if choices.isEmpty { required = ["value"] }
        }
        for (name, schema) in properties where self.kind == .intentConfirmation {
            var schema = schema.object ?? [:]
            schema["title"] = .string(self.title(of: name))
            properties[name] = .object(schema)
        }
        var schema: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = .array(required) }
        var params: JSONObject = ["message": .string(self.dialog), "requestedSchema": .object(schema)]
        if revision >= .v20251125 { params["mode"] = "form" }
        return params
    }

    /// The parameters of `elicitation/create` in URL mode.
    package func page(_ address: String, for revision: MCPClient.Revision) -> JSONObject {
        var params: JSONObject = ["mode": "url", "message": .string(self.dialog), "url": .string(address)]
        if revision.hasSessions { params["elicitationId"] = .string(self.id) }
        return params
    }

    /// The titles of the options, with their subtitles.
    var choices: [String] {
        let options = self.prompt["options"]?.array ?? []
        let displays = self.prompt["optionDisplays"]?.array ?? []
        return options.indices.map { index in
            let display = displays.indices.contains(index) ? displays[index] : nil
            let title = display?["title"]?.string ?? AnswerWords.words(options[index])
            return display?["subtitle"]?.string.map { "\(title) (\($0))" } ?? title
        }
    }

    private var isList: Bool { self.prompt["accepts"]?["value"]?["list"] == true }

    /// The options are numbered from 1, as people number them.
    private func choice(_ titles: [String], _ revision: MCPClient.Revision) -> JSONObject {
        let numbers = titles.indices.map { JSONValue.string("\($0 + 1)") }
        let titled = zip(numbers, titles).map { JSONValue.object(["const": $0, "title": .string($1)]) }
        let title = JSONValue.string(self.title(of: self.prompt["parameter"]?.string ?? ""))
        guard revision >= .v20251125 else {
            // The enumerations of 2025-06-18; a list is chosen from by its numbers in `value`.
            return [
                "type": "string", "title": title, "enum": .array(numbers),
                "enumNames": .array(titles.map(JSONValue.string)),
            ]
        }
        guard self.isList else { return ["type": "string", "title": title, "oneOf": .array(titled)] }
        return ["type": "array", "title": title, "items": ["anyOf": .array(titled)]]
    }

    private func value(isOther: Bool) -> JSONObject {
        let accepted = self.prompt["accepts"]?["value"]
        var schema: JSONObject = ["type": "string"]
        let type = accepted?["type"]?.string
        let readsWords = accepted?["words"] == true
        if !self.isList, !isOther {
            switch type {
            case Bool.typeName: schema["type"] = "boolean"
            case Int.typeName, Double.typeName:
                schema["type"] = type == Int.typeName ? "integer" : "number"
                schema["minimum"] = accepted?["minimum"].flatMap { $0.number == nil ? nil : $0 }
                schema["maximum"] = accepted?["maximum"].flatMap { $0.number == nil ? nil : $0 }
            case CalendarDate.typeName where !readsWords: schema["format"] = "date"
            case OffsetDateTime.typeName where !readsWords: schema["format"] = "date-time"
            default: break
            }
        }
        schema["title"] = .string(self.title(of: self.prompt["parameter"]?.string ?? ""))
        if self.isList { schema["description"] = "Several values are separated by commas." }
        return schema
    }

    // MARK: Corrections

    private var parameters: JSONObject { self.prompt["intent"]?["parameters"]?.object ?? [:] }

    /// A parameter's present value as a member of a form, which has texts, numbers and truth values only.
    private func property(_ value: JSONValue) -> JSONValue {
        switch value {
        case .bool: ["type": "boolean", "default": value]
        case .integer: ["type": "integer", "default": value]
        case .number: ["type": "number", "default": value]
        case .string, .null, .array, .object: ["type": "string", "default": .string(Self.text(value))]
        }
    }

    private static func text(_ value: JSONValue) -> String { value.isNull ? "" : AnswerWords.words(value) }

    /// The values in a form that are not those that it was shown with.
    private func corrections(_ content: JSONObject) -> JSONObject {
        let parameters = self.parameters
        return content.filter { name, value in
            guard let present = parameters[name] else { return true }
            return value != present && value.string != Self.text(present)
        }
    }

    private func title(of parameter: String) -> String {
        self.intent?.title(ofParameter: parameter) ?? IntentDocument.words(parameter)
    }

    // MARK: The answer

    /// The data of `prompt.answered` that an elicitation's result means.
    ///
    /// - Parameter result: `{"action": …, "content": …}`.
    /// - Returns: The data without the user.
    /// - Throws: ``JSONRPCError`` for a result of another form.
    package func answer(_ result: JSONObject) throws(JSONRPCError) -> JSONObject {
        var data: JSONObject = ["promptId": .string(self.id)]
        switch result["action"]?.string {
        case "decline": data["action"] = "decline"
        case "cancel": data["action"] = "cancel"
        case "accept":
            data["action"] = "accept"
            let content = result["content"] ?? [:]
            guard let content = content.isNull ? [:] : content.object else {
                throw .invalidParams("The content of the answer to \(self.id) must be an object, not \(content.kind).")
            }
            try self.accept(content, in: &data)
        case let action:
            throw .invalidParams(
                "The action of the answer to \(self.id) must be accept, decline or cancel, not "
                    + "\(action ?? "missing")."
            )
        }
        return data
    }

    private func accept(_ content: JSONObject, in data: inout JSONObject) throws(JSONRPCError) {
        if self.kind == .intentConfirmation {
            let corrections = self.corrections(content)
            guard !corrections.isEmpty else { return }
            // What the user changes is confirmed again, and an agent may pass it on (R89).
            data["action"] = "decline"
            data["corrections"] = .object(corrections)
            return
        }
        switch content["choice"] ?? .null {
        case .null: break
        case .array(let numbers):
            let options = self.prompt["options"]?.array ?? []
            var values: [JSONValue] = []
            for number in numbers { values.append(options[try self.index(number)]) }
            data["value"] = .array(values)
            return
        case let number:
            data["choice"] = .integer(Int64(try self.index(number)))
            return
        }
        guard let value = content["value"], !value.isNull else { return }
        guard self.isList, let text = value.string else {
            data["value"] = value
            return
        }
        data["value"] = .array(text.split(separator: ",").map { .string($0.trimming) })
    }

    /// The index of an option by its number, which begins with 1.
    private func index(_ number: JSONValue) throws(JSONRPCError) -> Int {
        let count = self.prompt["options"]?.array?.count ?? 0
        let wanted = number.string.flatMap { Int($0) } ?? number.integer.flatMap { Int(exactly: $0) }
        guard let wanted, (1...max(count, 1)).contains(wanted), count > 0 else {
            throw .invalidParams("The choice \(number) is none of the numbers from 1 to \(count).")
        }
        return wanted - 1
    }
}
