import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("SiriKit's behaviours: ending")
struct EndingTests {
    private struct Defect: Error {}

    private static let probe = IntentRegistration(confirmation: .always) {
        var handler = ProbeHandler()
        handler.handle = { intent, _ in
            if intent.first == "throws" { throw Defect() }
            return .init(code: intent.first == "fails" ? .failure : .success)
        }
        return handler
    }

    @Test("Every path answers exactly once (behaviour 37)", arguments: EndReason.allCases)
    func everyPathAnswersOnce(_ reason: EndReason) async throws {
        try await Pipeline.with([Self.probe]) { pipeline in
            var name = "ProbeIntent"
            var parameters: JSONObject = ["first": "a", "second": "b"]
            var extra: JSONObject = [:]
            switch reason {
            case .unsupportedIntent: name = "NobodyIntent"
            case .notAuthorized: extra["user"] = ["authorization": "denied"]
            case .invalidRequest: extra["locale"] = 5
            case .timeout: extra["expiresAt"] = "2020-01-01T00:00:00Z"
            case .failed: parameters["first"] = "fails"
            case .error: parameters["first"] = "throws"
            case .tooManyAttempts: parameters["first"] = nil
            case .nominal, .declined, .abortedByUser, .abortedByOperator: break
            }
            try await pipeline.request(name, parameters, subject: "i1", extra: extra)
            var event = try await pipeline.next(of: "i1")
            while event.type == "prompt.issued" {
                switch reason {
                case .tooManyAttempts, .declined: try await pipeline.answer(event, ["action": "decline"])
                case .abortedByUser: try await pipeline.answer(event, ["action": "cancel"])
                case .abortedByOperator: try await pipeline.act(.cancel, on: "i1")
                default: try await pipeline.answer(event, [:])
                }
                event = try await pipeline.next(of: "i1")
            }
            #expect(event.data["endReason"] == .string(reason.rawValue))
            #expect(event.data["terminal"] == true)
            // A later event is answered after it: there was no other end before.
            try await pipeline.send(.interactionCancelled, subject: "i1", data: ["user": ["id": "u1"]])
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "late")
            let ends = try await pipeline.records(of: .responses)
                .map { try StoredRecord($0, topic: .responses).decoded() }
                .filter { $0.data["terminal"] == true }
            #expect(ends.count == 1)
        }
    }

    @Test(
        "Where confirmation is required the user is asked, and decides whether to continue (behaviours 45 and 46)",
        arguments: [true, false]
    )
    func userDecidesAtConfirmation(isYes: Bool) async throws {
        let log = CallLog()
        let registration = IntentRegistration(confirmation: .always) { ProbeHandler(log: log) }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "intentConfirmation")
            #expect(!log.all.contains("handle"))
            try await pipeline.answer(prompt, ["action": isYes ? "accept" : "decline"])
            #expect(try await pipeline.next(of: "i1").data["endReason"] == (isYes ? "nominal" : "declined"))
            #expect(log.all.contains("handle") == isYes)
        }
    }

    @Test("Handle performs the task and reports what was done (behaviour 49)")
    func handleReportsWhatWasDone() async throws {
        let ledger = InMemoryLedger()
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.handle = { intent, context in
                let done = try await context.effect("deed") { _ in "did \(intent.first ?? "")" }
                return .init(code: .success, details: ["done": .string(done)])
            }
            return handler
        }
        try await Pipeline.with([registration], ledger: ledger) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["effects"] == ["deed"])
            #expect(response.data["response"] == ["done": "did a"])
            #expect(ledger.made.map(\.value) == [1])
            #expect(ledger.made.keys.first?.name == "deed")
        }
    }

    @Test(
        "The task succeeded, is in progress, or has failed (behaviour 50)",
        arguments: [
            (.success, "success", true), (.inProgress, "inProgress", false), (.failure, "failure", true),
        ] as [(ProbeIntent.Code, JSONValue, Bool)]
    )
    func statusIsSuccessInProgressOrFailure(code: ProbeIntent.Code, status: JSONValue, isTerminal: Bool) async throws {
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.handle = { _, _ in .init(code: code) }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["code"] == .string(code.rawValue))
            #expect(response.data["status"] == status)
            #expect(response.data["terminal"] == .bool(isTerminal))
        }
    }

    @Test("A response is a copy: changing it later has no effect on what was sent (behaviour 58)")
    func responsesAreCopies() async throws {
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.confirm = { intent in
                var changed = intent
                changed.first = "changed in confirm"
                return .init(code: .ready, details: ["first": .string(changed.first ?? "")])
            }
            handler.handle = { intent, _ in
                var response = ProbeHandler.Response(code: .success, details: ["first": .string(intent.first ?? "")])
                let sent = response
                response.details["first"] = "changed after it was made"
                return sent
            }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["intent"]?["parameters"]?["first"] == "a")
            #expect(response.data["response"] == ["first": "a"])
        }
    }

    @Test("What confirm refuses is not handled, and the user learns why (behaviours 39 and 48)")
    func failedDryRunIsNotHandled() async throws {
        let log = CallLog()
        let registration = IntentRegistration(confirmation: .always) {
            var handler = ProbeHandler(log: log)
            handler.confirm = { _ in .init(code: .failure, details: ["error": "closed today"]) }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.type == "intent.responded")
            #expect(response.data["endReason"] == "failed")
            #expect(response.data["phase"] == "confirm")
            #expect(response.data["response"] == ["error": "closed today"])
            #expect(log.all.last == "confirm")
        }
    }

    @Test("The user sees what confirm reports together with the question (behaviour 44)")
    func confirmationShowsDryRun() async throws {
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.confirm = { _ in .init(code: .ready, details: ["fee": 3], requiresUserConfirmation: true) }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "intentConfirmation")
            #expect(prompt.data["response"] == ["fee": 3])
        }
    }
}
