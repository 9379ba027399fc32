import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

/// An intent of which only the app may say that it was done.
struct StartIntent: Intent {
    static let intentName = "StartIntent"
    enum Code: String, IntentResponseCode {
        case ready
        case handleInApp
        case success
        case failure

        static let appOnly: Set<Self> = [.success]
    }

    @Parameter var name: String?
}

/// Hands over to the app, or claims a success that it may not claim; notes the app's report.
struct StartHandler: IntentHandler {
    struct Hiccup: TransientError {}

    var handling: Handling<StartIntent> {
        Handle(self.handle)
        AppResponded(self.appResponded)
    }

    func handle(intent: StartIntent, context: TurnContext) async throws -> IntentResponse<StartIntent> {
        let isDone = intent.name == "done"
        _ = try await context.effect("start") { _ in "started" }
        return IntentResponse(code: isDone ? .success : .handleInApp)
    }

    func appResponded(
        _ response: IntentResponse<StartIntent>,
        to intent: StartIntent,
        context: TurnContext
    ) async throws {
        if intent.name == "hiccup" && context.attempt == 1 { throw Hiccup() }
        let words = "\(intent.name ?? ""): \(response.code.rawValue) at \(response.details["place"]?.string ?? "")"
        _ = try await context.effect("note \(words)") { _ in words }
    }
}

@Suite("Reports of the app")
struct AppReportTests {
    private static func report(_ code: String, on subject: InteractionID, to pipeline: Pipeline) async throws {
        let data: JSONValue = ["user": ["id": "u1"], "code": .string(code), "response": ["place": "home"]]
        try await pipeline.send(.appResponded, subject: subject, data: data)
    }

    @Test(
        "R33: the handler receives the app's report, and its effects are listed (behaviour 55)",
        arguments: ["success", "failure"]
    )
    func handlerReceivesAppReport(code: String) async throws {
        let ledger = InMemoryLedger()
        try await Pipeline.with([IntentRegistration { StartHandler() }], ledger: ledger) { pipeline in
            try await pipeline.request("StartIntent", ["name": "run"], subject: "i1")
            let handedOver = try await pipeline.next(of: "i1")
            #expect(handedOver.data["code"] == "handleInApp")
            #expect(handedOver.data["terminal"] == false)
            #expect(handedOver.data["effects"] == ["start"])
            try await Self.report(code, on: "i1", to: pipeline)
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["code"] == .string(code))
            #expect(response.data["response"]?["place"] == "home")
            #expect(response.data["effects"] == ["start", .string("note run: \(code) at home")])
            try await Self.report("success", on: "i1", to: pipeline)
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "late")
            // R42: the handler's reaction to the report produces the same bytes again.
            let outcomes = try await pipeline.replayAll([IntentRegistration { StartHandler() }])
            #expect(outcomes.count >= 5)
            #expect(outcomes.allSatisfy { $0.isMatch })
        }
    }

    @Test("R35: a transient error while a report is handled is retried")
    func retriesTransientErrorOnReport() async throws {
        let ledger = InMemoryLedger()
        try await Pipeline.with([IntentRegistration { StartHandler() }], ledger: ledger) { pipeline in
            try await pipeline.request("StartIntent", ["name": "hiccup"], subject: "i1")
            _ = try await pipeline.next(of: "i1")
            try await Self.report("success", on: "i1", to: pipeline)
            let response = try await pipeline.next { $0.data["terminal"] == true }
            #expect(response.data["code"] == "success")
            #expect(response.data["effects"] == ["start", "note hiccup: success at home"])
        }
    }

    @Test("R33: a handler that returns a code that only the app may report ends with error")
    func handlerMayNotClaimAppsCodes() async throws {
        let ledger = InMemoryLedger()
        try await Pipeline.with([IntentRegistration { StartHandler() }], ledger: ledger) { pipeline in
            try await pipeline.request("StartIntent", ["name": "done"], subject: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["endReason"] == "error")
            #expect(response.data["code"] == "failure")
            #expect(response.data["status"] == "failure")
            #expect(response.data["effects"] == ["start"])
            #expect(response.data["response"]?["error"] == nil)
            let letters = try await pipeline.records(of: .deadLetters)
            #expect(letters.count == 1)
            let detail = letters.first?.header("intentd_detail") ?? ""
            #expect(detail.contains("success, which only the app may"))
        }
    }
}
