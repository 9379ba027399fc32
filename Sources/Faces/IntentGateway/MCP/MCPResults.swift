internal import IntentEvents
internal import IntentKit
internal import IntentOperations

/// What an interaction is to a client of MCP: a tool's result, a question to its user, or a task.
package struct MCPResults: Sendable {
    let client: MCPClient
    let confirming: ConfirmingRule
    let tools: MCPTools
    let locale: String

    /// Whether results have `resultType`.
    private var namesKinds: Bool { !self.client.revision.hasSessions }

    // MARK: Prompts

    /// The open prompt as an elicitation.
    func elicitation(of snapshot: InteractionSnapshot) -> PromptElicitation? {
        snapshot.prompt.flatMap {
            PromptElicitation($0, of: snapshot.intent.flatMap { self.tools.intent($0, locale: self.locale) })
        }
    }

    /// Whether the client must not pass the answer on: only the user may give it, or it is sensitive.
    func isForPage(_ elicitation: PromptElicitation, of snapshot: InteractionSnapshot) -> Bool {
        elicitation.isSensitive || self.confirming.isForUser(elicitation.prompt, of: snapshot.intent)
    }

    /// The parameters of `elicitation/create` for the open prompt; nil where the client cannot show it.
    func elicitationParams(of snapshot: InteractionSnapshot) -> (id: String, params: JSONObject)? {
        guard let elicitation = self.elicitation(of: snapshot) else { return nil }
        if self.isForPage(elicitation, of: snapshot) {
            guard self.client.hasPages else { return nil }
            let page = self.confirming.page(of: snapshot.id)
            return (elicitation.id, elicitation.page(page, for: self.client.revision))
        }
        guard self.client.hasForms else { return nil }
        return (elicitation.id, elicitation.form(for: self.client.revision))
    }

    /// The question as `inputRequests`; nil where the client cannot show it.
    private func inputRequests(of snapshot: InteractionSnapshot) -> JSONValue? {
        self.elicitationParams(of: snapshot)
            .map { id, params in .object([id: ["method": "elicitation/create", "params": .object(params)]]) }
    }

    /// The result that asks (2026-07-28); nil where the client cannot show the prompt.
    func inputRequired(_ snapshot: InteractionSnapshot) -> JSONObject? {
        guard self.namesKinds, let requests = self.inputRequests(of: snapshot) else { return nil }
        return ["resultType": "input_required", "inputRequests": requests, "requestState": snapshot.id.json]
    }

    // MARK: Results

    /// The tool's result as the interaction is now: its end, or what is asked or done meanwhile.
    func result(of snapshot: InteractionSnapshot, note: String? = nil) -> JSONObject {
        let content = self.content(of: snapshot)
        var text = [note, self.text(of: snapshot)].compactMap(\.self).joined(separator: "\n")
        if text.isEmpty { text = snapshot.state.rawValue }
        return self.complete([
            "content": [["type": "text", "text": .string(text)], ["type": "text", "text": .string("\(content)")]],
            "structuredContent": content,
            "isError": .bool(note != nil || snapshot.response?["status"] == "failure"),
        ])
    }

    /// A result with the error, for the model, which can correct the call.
    func failure(_ error: GatewayError) -> JSONObject {
        self.complete([
            "content": [["type": "text", "text": .string(error.detail)]],
            "structuredContent": ["error": JSONRPCError.data(error)],
            "isError": true,
        ])
    }

    func complete(_ members: JSONObject) -> JSONObject {
        guard self.namesKinds else { return members }
        var members = members
        members["resultType"] = "complete"
        members["_meta"] = ["io.modelcontextprotocol/serverInfo": MCPServer.info]
        return members
    }

    /// What the model reads of an interaction.
    private func content(of snapshot: InteractionSnapshot) -> JSONValue {
        let response = snapshot.response
        var names = ["code", "status", "endReason", "dialog", "effects", "progress", "undo", "userActivity"]
        if snapshot.state != .ended { names.removeAll { $0 == "endReason" || $0 == "effects" } }
        var members: JSONObject = ["interaction": snapshot.id.json, "state": .string(snapshot.state.rawValue)]
        members["intent"] = (snapshot.prompt ?? response)?["intent"]
        for name in names { members[name] = response?[name].flatMap { $0.isNull ? nil : $0 } }
        members["response"] = response?["response"].flatMap { $0.object?.isEmpty == true ? nil : $0 }
        if let prompt = snapshot.prompt {
            let asked = [
                "promptId", "kind", "parameter", "accepts", "options", "optionDisplays", "dialog", "expiresAt",
            ]
            let shown = asked.compactMap { name in prompt[name].flatMap { $0.isNull ? nil : (key: name, value: $0) } }
            members["prompt"] = .object(JSONObject(shown))
            members["rejection"] = snapshot.rejection?["detail"]
            if let elicitation = self.elicitation(of: snapshot), self.isForPage(elicitation, of: snapshot) {
                members["confirm"] = .string(self.confirming.page(of: snapshot.id))
            }
        }
        return .object(members)
    }

    private func text(of snapshot: InteractionSnapshot) -> String? {
        guard let elicitation = self.elicitation(of: snapshot) else {
            let response = snapshot.response
            let said = response?["dialog"]?.string ?? response?["progress"]?["text"]?.string
            let isEnd = snapshot.state == .ended
            let next =
                isEnd ? nil : "It is not finished: call \(MCPTools.answer) with the interaction to wait for the result."
            let code = response?["code"]?.string ?? response?["endReason"]?.string
            return [said ?? (isEnd ? code : nil), next].compactMap(\.self).joined(separator: "\n")
        }
        if self.isForPage(elicitation, of: snapshot) {
            return "\(elicitation.dialog)\nOnly the user can answer that, at \(self.confirming.page(of: snapshot.id)). "
                + "Call \(MCPTools.answer) with the interaction afterwards."
        }
        let titles = elicitation.choices.enumerated().map { "\($0.offset): \($0.element)" }
        return ([elicitation.dialog] + titles + ["Ask the user, and call \(MCPTools.answer) with the promptId."])
            .joined(separator: "\n")
    }

    // MARK: Tasks

    /// How often a client should ask for a task, in milliseconds.
    static let pollInterval: Int64 = 1_000

    /// The task of an interaction, in place of a tool's result.
    func task(of snapshot: InteractionSnapshot) -> JSONObject {
        var task = self.complete(self.taskMembers(of: snapshot))
        task["resultType"] = "task"
        return task
    }

    /// The task with its question or its result.
    func detailedTask(of snapshot: InteractionSnapshot) -> JSONObject {
        var members = self.taskMembers(of: snapshot)
        switch members["status"]?.string {
        case "input_required": members["inputRequests"] = self.inputRequests(of: snapshot) ?? [:]
        case "completed":
            var result = self.result(of: snapshot)
            result["_meta"] = nil
            members["result"] = .object(result)
        default: break
        }
        return self.complete(members)
    }

    private func taskMembers(of snapshot: InteractionSnapshot) -> JSONObject {
        let status =
            switch snapshot.state {
            case .awaitingUser, .awaitingUnlock, .awaitingSignIn: "input_required"
            case .ended:
                ["abortedByUser", "abortedByOperator"].contains(snapshot.response?["endReason"]?.string)
                    ? "cancelled" : "completed"
            case .queued, .running, .awaitingApp, .retrying, .paused: "working"
            }
        var members: JSONObject = [
            "taskId": snapshot.id.json, "status": .string(status),
            "createdAt": .string(snapshot.requestedAt.description),
            "lastUpdatedAt": .string(snapshot.updatedAt.description),
            // It stays as long as the topics keep it.
            "ttlMs": .null, "pollIntervalMs": .integer(Self.pollInterval),
        ]
        members["statusMessage"] = self.text(of: snapshot).flatMap { $0.isEmpty ? nil : .string($0) }
        return members
    }
}
