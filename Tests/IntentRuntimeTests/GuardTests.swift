import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("Bounds of an interaction, and what outlives them")
struct GuardTests {
    // MARK: Lists

    /// An intent with a list.
    private struct ListIntent: Intent {
        enum Code: String, IntentResponseCode {
            case ready
            case success
            case failure
        }

        @Parameter var names: [String]?
    }

    /// Resolves the first name, and answers for the whole list at the second.
    private struct ListHandler: IntentHandler {
        let second: INStringResolutionResult

        var handling: Handling<ListIntent> {
            Resolve(by: self.resolve, \.$names)
            Handle(self.handle)
        }

        func resolve(_ intent: ListIntent, with context: TurnContext) async throws -> [INStringResolutionResult] {
            (intent.names ?? []).map { $0 == "unclear" ? self.second : .success(with: $0) }
        }

        func handle(intent: ListIntent, context: TurnContext) async throws -> IntentResponse<ListIntent> {
            IntentResponse(code: .success)
        }
    }

    @Test("R20: needsValue for one value of a list asks once, for the whole list (behaviour 25)")
    func asksForWholeList() async throws {
        let registration = IntentRegistration { ListHandler(second: .needsValue()) }
        try await Pipeline.with([registration]) { pipeline in
            let names: JSONValue = ["Ann", "unclear", "unclear"]
            try await pipeline.request("ListIntent", ["names": names], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "needsValue")
            #expect(prompt.data["parameter"] == "names")
            #expect(prompt.data["index"] == .null)
            try await pipeline.answer(prompt, ["value": ["Bob", "Cy"]])
            let end = try await pipeline.next(of: "i1")
            #expect(end.data["endReason"] == "nominal")
            #expect(end.data["intent"]?["parameters"]?["names"] == ["Bob", "Cy"])
        }
    }

    @Test("R20: notRequired for one value of a list settles the whole list without a value (behaviour 25)")
    func settlesWholeList() async throws {
        let registration = IntentRegistration { ListHandler(second: .notRequired()) }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ListIntent", ["names": ["Ann", "unclear"]], subject: "i1")
            let end = try await pipeline.next(of: "i1")
            #expect(end.data["endReason"] == "nominal")
            #expect(end.data["intent"]?["parameters"]?["names"] == nil)
        }
    }

    @Test("R19: a yes to a value no longer counts once the parameter has to be resolved again")
    func forgetsOldYes() throws {
        let parameters = IntentRegistration { ListHandler(second: .needsValue()) }.parameters
        let names = try #require(parameters.first)
        var interaction = Interaction(
            id: "i1",
            request: "0:0",
            startedAt: Timestamp(milliseconds: 0),
            user: RequestingUser(id: "u1"),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "ListIntent")
        )
        interaction.set(names, to: ["Ann"])
        interaction.confirmed["names"] = [0: "Ann"]
        interaction.settle("names")
        interaction.set(names, to: ["Bob"])
        interaction.unsettle("names", parameters)
        interaction.set(names, to: ["Ann"])
        #expect(interaction.confirmed["names"] == nil)
        #expect(interaction.settled.isEmpty)
    }

    // MARK: Times

    @Test("R24: a prompt is open no longer than its interaction may take")
    func promptEndsWithInteraction() async throws {
        var settings = RuntimeSettings()
        settings.maxAge = .seconds(100)
        try await Pipeline.with([IntentRegistration { GreetHandler() }], settings: settings) { pipeline in
            let before = pipeline.clock.now
            try await pipeline.request("GreetIntent", subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            let expiresAt = try #require(prompt.data["expiresAt"]?.string.flatMap(Timestamp.init))
            #expect(expiresAt >= before + 100_000)
            #expect(expiresAt <= pipeline.clock.now + 100_000)
            pipeline.clock.advance(by: .seconds(101))
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "timeout")
        }
    }

    @Test("R24: a request's own expiry ends its prompts earlier, and never later", arguments: [100_000, 1_000_000_000])
    func requestShortensPrompt(milliseconds: Int64) async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            let wanted = pipeline.clock.now + milliseconds
            try await pipeline.request("GreetIntent", subject: "i1", extra: ["expiresAt": .string("\(wanted)")])
            let prompt = try await pipeline.next(of: "i1")
            let expiresAt = try #require(prompt.data["expiresAt"]?.string.flatMap(Timestamp.init))
            #expect(expiresAt <= wanted)
            #expect(expiresAt <= pipeline.clock.now + RuntimeSettings().promptTimeout.milliseconds)
            #expect(expiresAt == wanted || milliseconds > 100_000)
        }
    }

    /// Hands over to the app, and keeps its context.
    private struct HandingHandler: IntentHandler {
        let kept: Kept

        final class Kept: Sendable {
            let context = Mutex<TurnContext?>(nil)
        }

        var handling: Handling<StartIntent> { Handle(self.handle) }

        func handle(intent: StartIntent, context: TurnContext) async throws -> IntentResponse<StartIntent> {
            self.kept.context.withLock { $0 = context }
            return IntentResponse(code: .handleInApp)
        }
    }

    @Test(
        "R30, R33: when the app's time is up the ledger is closed, however late the request expires; a later effect is refused",
        arguments: [[:], ["expiresAt": "2100-01-01T00:00:00Z"]] as [JSONObject]
    )
    func closesLedgerAtAppTimeout(extra: JSONObject) async throws {
        let kept = HandingHandler.Kept()
        let ledger = InMemoryLedger()
        try await Pipeline.with([IntentRegistration { HandingHandler(kept: kept) }], ledger: ledger) { pipeline in
            try await pipeline.request("StartIntent", subject: "i1", extra: extra)
            #expect(try await pipeline.next(of: "i1").data["code"] == "handleInApp")
            let context = try #require(kept.context.withLock { $0 })
            pipeline.clock.advance(by: RuntimeSettings().appTimeout)
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "timeout")
            await #expect(throws: LedgerClosedError.self) { try await context.effect("late") { _ in true } }
            #expect(ledger.made.isEmpty)
        }
    }

    /// Has no news, and counts its calls.
    private struct FollowedHandler: IntentHandler {
        let looks: Looks

        final class Looks: Sendable {
            let count = Mutex(0)
        }

        var handling: Handling<GreetIntent> {
            Handle(self.handle)
            UpdateStatus(every: .seconds(1_000), for: .seconds(100_000), self.statusUpdate)
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            self.greeting(intent)
        }

        func statusUpdate(for intent: GreetIntent, context: TurnContext) async throws -> StatusUpdate<GreetIntent> {
            self.looks.count.withLock { $0 += 1 }
            return StatusUpdate(self.greeting(intent))
        }
    }

    @Test("R13: a status timer whose time is no longer current asks nobody")
    func ignoresOutdatedStatusTimer() async throws {
        let looks = FollowedHandler.Looks()
        let registration = IntentRegistration { FollowedHandler(looks: looks) }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            pipeline.clock.advance(by: .seconds(1_001))
            try await eventually { looks.count.withLock { $0 } > 0 }
            try await pipeline.settle()
            let timers = try await pipeline.records(of: .signals).filter { $0.header("ce_type") == "timer.fired" }
            let timer = try #require(timers.first)
            try await pipeline.write([
                OutgoingRecord(
                    topicPartition: timer.topicPartition,
                    key: timer.key,
                    value: timer.value,
                    headers: timer.headers
                )
            ])
            try await pipeline.settle()
            #expect(looks.count.withLock { $0 } == 1)
        }
    }
}
