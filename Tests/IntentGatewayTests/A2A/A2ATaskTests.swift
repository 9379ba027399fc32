import IntentEvents
import IntentKit
import Testing

@testable import IntentGateway

@Suite("R87: interactions as tasks of A2A")
struct A2ATaskTests {
    private func task(
        _ state: InteractionSnapshot.State,
        intent: String = "Note",
        prompt: JSONValue? = nil,
        response: JSONValue? = nil,
        _ revision: A2ATask.Revision = .v10
    ) throws -> A2ATask {
        let registry = try IntentRegistry(declaring: [["name": "Pay", "financial": true], ["name": "Note"]])
        let snapshot = InteractionSnapshot(
            id: "i",
            userID: "me",
            state: state,
            intent: intent,
            requestedAt: Timestamp(milliseconds: 0),
            revision: 3,
            prompt: prompt,
            response: response
        )
        let rule = ConfirmingRule(registry: registry, publicURL: "https://intents.example")
        return A2ATask(snapshot, confirming: rule, revision: revision)
    }

    @Test("A question that an agent may answer needs input; one that is the user's needs the user")
    func distinguishesQuestions() throws {
        let question: JSONValue = ["promptId": "i/c/1", "kind": "intentConfirmation", "dialog": "Shall I?"]
        #expect(try self.task(.awaitingUser, prompt: question).state == .inputRequired)
        let payment = try self.task(.awaitingUser, intent: "Pay", prompt: question)
        #expect(payment.state == .authRequired)
        #expect(payment.json()["metadata"]?["confirm"] == "https://intents.example/confirm/i")
        #expect(
            try self.task(.awaitingUnlock, prompt: ["promptId": "i/r/1", "kind": "unlockRequired"]).state
                == .authRequired
        )
        let signIn = try self.task(.awaitingSignIn, prompt: ["promptId": "i/c/1", "kind": "authenticationRequired"])
        #expect(signIn.state == .authRequired)
        #expect(signIn.json()["metadata"]?["confirm"] == "https://intents.example/confirm/i")
    }

    @Test(
        "The end's reason decides the state",
        arguments: [
            ("nominal", A2ATask.State.completed), ("abortedByUser", .canceled), ("declined", .canceled),
            ("unsupportedIntent", .rejected), ("notAuthorized", .rejected), ("invalidRequest", .rejected),
            ("failed", .failed), ("error", .failed), ("timeout", .failed),
        ]
    )
    func mapsEnds(reason: String, state: A2ATask.State) throws {
        let task = try self.task(.ended, response: ["endReason": .string(reason), "code": "success"])
        #expect(task.state == state)
        #expect(task.artifact?["artifactId"] == "result")
    }

    @Test("Both revisions write a task in their own form")
    func writesRevisions() throws {
        let new = try self.task(.running)
        #expect(new.asResult["task"]?["status"]?["state"] == "TASK_STATE_WORKING")
        #expect(try self.task(.paused).state == .working)
        let old = try self.task(.running, .v03)
        #expect(old.asResult["kind"] == "task")
        #expect(old.asResult["status"]?["state"] == "working")
        #expect(try self.task(.awaitingUser, .v03).status["state"] == "input-required")
        #expect(old.updates(isLast: true).last?["final"] == true)
        #expect(new.updates(isLast: true).last?["statusUpdate"]?["taskId"] == "i")
    }

    @Test("A message begins a task by its data, and answers by its text or its data")
    func readsMessages() throws {
        func message(_ parts: JSONValue, task: String? = nil) throws(JSONRPCError) -> A2AMessage {
            try A2AMessage([
                "message": .members([
                    "messageId": "m", "role": "ROLE_USER", "parts": parts, "taskId": task.map(JSONValue.string),
                ])
            ])
        }
        let start = try message([["data": ["intent": "Note", "parameters": ["text": "a"]]]])
        #expect(start.request(locale: "de")?["intent"] == ["name": "Note", "parameters": ["text": "a"]])
        #expect(start.request(locale: "de")?["locale"] == "de")
        #expect(try message([["text": "hello"]]).request(locale: "de") == nil)
        #expect(
            try message([["text": "at noon"]], task: "i").answer(to: "i/r/1") == [
                "promptId": "i/r/1", "value": "at noon",
            ]
        )
        let choice = try message([["kind": "data", "data": ["choice": 1, "promptId": "i/r/2"]]], task: "i")
        #expect(choice.answer(to: "i/r/1") == ["promptId": "i/r/2", "choice": 1])
        #expect(throws: JSONRPCError.self) { try message([]) }
        #expect(throws: JSONRPCError.self) { try message([["url": "https://x.example"]]) }
        #expect(throws: JSONRPCError.self) { try A2AMessage(["message": ["parts": [["text": "a"]]]]) }
    }

    @Test("Methods have a name in each revision")
    func namesMethods() {
        #expect(A2AServer.Method.find("SendMessage")?.revision == .v10)
        #expect(A2AServer.Method.find("message/send")?.method == .send)
        #expect(A2AServer.Method.find("tasks/resubscribe")?.method == .subscribe)
        #expect(A2AServer.Method.find("CreateTaskPushNotificationConfig") == nil)
    }
}
