internal import IntentEvents
package import IntentKit

/// An interaction as a task of A2A.
package struct A2ATask: Sendable {
    /// A revision of the protocol: they differ in how values are written.
    package enum Revision: String, Sendable {
        case v03 = "0.3"
        case v10 = "1.0"
    }

    /// What a task waits for.
    package enum State: String, CaseIterable, Sendable {
        case submitted, working, completed, failed, canceled, rejected
        case inputRequired = "input_required"
        case authRequired = "auth_required"

        /// Whether nothing follows.
        var isTerminal: Bool {
            switch self {
            case .completed, .failed, .canceled, .rejected: true
            case .submitted, .working, .inputRequired, .authRequired: false
            }
        }

        /// Whether the client has something to do.
        var isInterrupted: Bool { self == .inputRequired || self == .authRequired }

        fileprivate func name(in revision: Revision) -> String {
            switch revision {
            case .v03: self.rawValue.split(separator: "_").joined(separator: "-")
            case .v10: "TASK_STATE_\(self.rawValue.uppercased())"
            }
        }

        /// Reads the name of a state in either revision.
        package init?(name: String) {
            let found = Self.allCases.first { $0.name(in: .v10) == name || $0.name(in: .v03) == name }
            guard let found else { return nil }
            self = found
        }
    }

    let snapshot: InteractionSnapshot
    let confirming: ConfirmingRule
    let revision: Revision

    package init(_ snapshot: InteractionSnapshot, confirming: ConfirmingRule, revision: Revision) {
        self.snapshot = snapshot
        self.confirming = confirming
        self.revision = revision
    }

    /// Whether the open prompt is one that only the user may answer.
    private var isForUser: Bool {
        self.snapshot.prompt.map { self.confirming.isForUser($0, of: self.snapshot.intent) } ?? false
    }

    package var state: State {
        switch self.snapshot.state {
        case .queued: .submitted
        case .running, .awaitingApp, .retrying, .paused: .working
        case .awaitingUser: self.isForUser ? .authRequired : .inputRequired
        case .awaitingUnlock, .awaitingSignIn: .authRequired
        case .ended: self.end
        }
    }

    private var end: State {
        switch self.snapshot.response?["endReason"]?.string {
        case "nominal": .completed
        case "abortedByUser", "abortedByOperator", "declined": .canceled
        case "unsupportedIntent", "notAuthorized", "invalidRequest": .rejected
        default: .failed
        }
    }

    /// The context: the group of the request, or the task itself.
    package var contextID: String { self.snapshot.group ?? self.snapshot.id.text }

    // MARK: Writing

    package func json(withArtifacts: Bool = true) -> JSONValue {
        var members: JSONObject = [
            "id": self.snapshot.id.json, "contextId": .string(self.contextID), "status": self.status,
            "metadata": self.metadata,
        ]
        if self.revision == .v03 { members["kind"] = "task" }
        if withArtifacts, let artifact = self.artifact { members["artifacts"] = [artifact] }
        return .object(members)
    }

    package var status: JSONValue {
        .members([
            "state": .string(self.state.name(in: self.revision)), "message": self.message,
            "timestamp": .string(self.snapshot.updatedAt.description),
        ])
    }

    private var metadata: JSONValue {
        .members([
            "intent": self.snapshot.intent.map(JSONValue.string),
            "confirm": self.state == .authRequired ? .string(self.confirming.page(of: self.snapshot.id)) : nil,
        ])
    }

    /// What the agent says: the question, or what is being done.
    private var message: JSONValue? {
        if let prompt = self.snapshot.prompt {
            var text = prompt["dialog"]?.string ?? ""
            if self.state == .authRequired {
                text += "\nThe user answers at \(self.confirming.page(of: self.snapshot.id))"
            }
            let names = [
                "promptId", "kind", "parameter", "accepts", "options", "optionDisplays", "expiresAt", "intent", "again",
            ]
            let shown = names.compactMap { name in prompt[name].flatMap { $0.isNull ? nil : (key: name, value: $0) } }
            return self.message(
                prompt["promptId"]?.string ?? "",
                [
                    self.text(text), self.data(.object(JSONObject(shown))),
                ]
            )
        }
        let response = self.snapshot.response
        let said = response?["dialog"]?.string ?? response?["progress"]?["text"]?.string
        return said.map { self.message("\(self.snapshot.id)/\(self.snapshot.revision)", [self.text($0)]) }
    }

    private func message(_ id: String, _ parts: [JSONValue]) -> JSONValue {
        Self.message(
            id,
            parts,
            in: self.revision,
            more: ["taskId": self.snapshot.id.json, "contextId": .string(self.contextID)]
        )
    }

    /// A message of the agent.
    static func message(_ id: String, _ parts: [JSONValue], in revision: Revision, more: JSONObject = [:]) -> JSONValue
    {
        var members = more
        members["messageId"] = .string(id)
        members["role"] = revision == .v03 ? "agent" : "ROLE_AGENT"
        members["parts"] = .array(parts)
        if revision == .v03 { members["kind"] = "message" }
        return .object(members)
    }

    private func text(_ text: String) -> JSONValue { Self.text(text, in: self.revision) }

    static func text(_ text: String, in revision: Revision) -> JSONValue {
        revision == .v03 ? ["kind": "text", "text": .string(text)] : ["text": .string(text)]
    }

    private func data(_ data: JSONValue) -> JSONValue {
        self.revision == .v03 ? ["kind": "data", "data": data] : ["data": data]
    }

    /// The result of an interaction that has ended.
    var artifact: JSONValue? {
        guard self.snapshot.state == .ended, let response = self.snapshot.response else { return nil }
        let names = ["code", "status", "endReason", "dialog", "response", "effects", "intent", "undo"]
        let shown = names.compactMap { name in response[name].flatMap { $0.isNull ? nil : (key: name, value: $0) } }
        return .members([
            "artifactId": "result", "name": self.snapshot.intent.map(JSONValue.string),
            "parts": .array(
                (response["dialog"]?.string.map { [self.text($0)] } ?? []) + [self.data(.object(JSONObject(shown)))]
            ),
        ])
    }

    // MARK: Streams

    /// The task as the first event of a stream, and as the result of a message.
    package var asResult: JSONValue { self.revision == .v03 ? self.json() : ["task": self.json()] }

    /// The news since an earlier state of the task, as events of a stream.
    package func updates(isLast: Bool) -> [JSONValue] {
        let ids: JSONObject = ["taskId": self.snapshot.id.json, "contextId": .string(self.contextID)]
        var events: [JSONValue] = []
        if let artifact {
            var update = ids
            update["artifact"] = artifact
            update["lastChunk"] = true
            events.append(self.event("artifact-update", "artifactUpdate", update))
        }
        var update = ids
        update["status"] = self.status
        update["metadata"] = self.metadata
        if self.revision == .v03 { update["final"] = .bool(isLast) }
        return events + [self.event("status-update", "statusUpdate", update)]
    }

    private func event(_ kind: String, _ name: String, _ members: JSONObject) -> JSONValue {
        guard self.revision == .v03 else { return .object([name: .object(members)]) }
        var members = members
        members["kind"] = .string(kind)
        return .object(members)
    }
}
