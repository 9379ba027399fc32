package import IntentKit

/// A message that a client of A2A sends.
package struct A2AMessage: Hashable, Sendable {
    /// Its id, by which it has its effect once.
    package var id: String
    /// The task that it belongs to; nil for a new one.
    package var taskID: String?
    package var contextID: String?
    /// The texts of its parts, one per line.
    package var text: String
    /// The members of its data parts.
    package var data: JSONObject
    package var tracing: [String: String] = [:]

    /// Reads `params.message` of either revision.
    /// - Throws: ``JSONRPCError`` that names the wrong member.
    package init(_ params: JSONObject) throws(JSONRPCError) {
        guard let message = params["message"], message.object != nil else {
            throw .invalidParams("params.message must be an object.")
        }
        guard let id = message["messageId"]?.string, 1...1_024 ~= id.utf8.count else {
            throw .invalidParams("message.messageId must be a text of 1 to 1,024 bytes.")
        }
        guard let parts = message["parts"]?.array, !parts.isEmpty, parts.count <= 64 else {
            throw .invalidParams("message.parts must have 1 to 64 parts.")
        }
        self.id = id
        self.taskID = try Self.id("taskId", message)
        self.contextID = try Self.id("contextId", message)
        self.data = [:]
        var texts: [String] = []
        for part in parts {
            if let text = part["text"]?.string {
                texts.append(text)
            } else if let members = part["data"]?.object {
                self.data.merge(members) { _, new in new }
            } else {
                throw JSONRPCError(
                    JSONRPCError.Code(rawValue: -32005),
                    "A part must be a text, or data that is an object: files are not supported."
                )
            }
        }
        self.text = texts.joined(separator: "\n")
    }

    private static func id(_ name: String, _ message: JSONValue) throws(JSONRPCError) -> String? {
        guard let json = message[name], !json.isNull, json != "" else { return nil }
        guard let id = json.string, id.utf8.count <= 1_024 else {
            throw .invalidParams("message.\(name) must be a text of at most 1,024 bytes.")
        }
        return id
    }

    /// The data of `intent.requested` that it means; nil where it names no intent.
    func request(locale: String) -> JSONObject? {
        guard let intent = self.data["intent"]?.string else { return nil }
        var request: JSONObject = [
            "intent": ["name": .string(intent), "parameters": self.data["parameters"] ?? [:]],
            "locale": self.data["locale"] ?? .string(locale), "device": ["id": .string(MCPServer.device)],
        ]
        request["timeZone"] = self.data["timeZone"]
        request["groupIdentifier"] = self.contextID.map(JSONValue.string)
        return request
    }

    /// The data of `prompt.answered` that it means: its data, or its text as the value.
    func answer(to prompt: String) -> JSONObject {
        var answer = self.data.filter {
            ["promptId", "action", "value", "choice", "corrections", "timeZone"].contains($0.key)
        }
        if answer.isEmpty { answer["value"] = .string(self.text) }
        if answer["promptId"] == nil { answer["promptId"] = .string(prompt) }
        return answer
    }
}
