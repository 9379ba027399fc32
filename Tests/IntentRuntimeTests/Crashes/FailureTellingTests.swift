import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Logging
import Telemetry
import Testing

@Suite("What clients and operators learn of a failure (R35)")
struct FailureTellingTests {
    private typealias Response = IntentResponse<ProbeIntent>

    private struct Secret: Error, CustomStringConvertible {
        let description = "SELECT iban FROM accounts at db.internal:5432"
    }

    private struct Worded: ClientFacingError, CustomStringConvertible {
        let description = "quota of shard 7 at 10.0.0.7"
        let clientMessage = "You have booked too often today."
    }

    private struct Passing: TransientError, CustomStringConvertible {
        let description = "lock on shard 7"
    }

    private static func registration(
        _ handle: @escaping @Sendable (ProbeIntent, TurnContext) async throws -> IntentResponse<ProbeIntent>
    ) -> [IntentRegistration] {
        [IntentRegistration(version: "7", confirmation: .never) { ProbeHandler(handle: handle) }]
    }

    /// Makes a handler fail; returns what the client reads, what operators read, and what was logged.
    private static func fail(
        _ handle: @escaping @Sendable (ProbeIntent, TurnContext) async throws -> IntentResponse<ProbeIntent>
    ) async throws -> (responses: String, response: JSONValue?, detail: String?, lines: [LogLines.Line]) {
        let lines = LogLines()
        var told = (responses: "", response: JSONValue?.none, detail: String?.none)
        let registrations = Self.registration(handle)
        try await Pipeline.with(
            registrations,
            settings: .unhurried,
            ledger: InMemoryLedger(),
            logger: lines.logger(level: .info)
        ) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["endReason"] == "error")
            let clients = [Topic.responses, .userActivities]
            for topic in clients {
                for record in try await pipeline.records(of: topic) {
                    told.responses += String(decoding: record.value ?? [], as: UTF8.self)
                }
            }
            told.response = end.data["response"]
            told.detail = try await pipeline.records(of: .deadLetters).map { DeadLetterHeaders($0.content) }.first?
                .detail
            #expect(try await pipeline.replayAll(registrations).allSatisfy(\.isMatch))
        }
        return (told.responses, told.response, told.detail, lines.all)
    }

    @Test("Clients see nothing of an error without words for them; operators read it once in the log")
    func hidesErrorsFromClients() async throws {
        let told = try await Self.fail { _, _ in throw Secret() }
        #expect(!told.responses.contains("iban") && !told.responses.contains("db.internal"))
        #expect(told.response == [:])
        #expect(told.detail == Secret().description)
        let warnings = told.lines.filter { $0.level == .warning }
        #expect(warnings.count == 1)
        let metadata = try #require(warnings.first?.metadata)
        #expect(metadata[TelemetryKey.errorMessage] == "\(Secret())")
        #expect(metadata[TelemetryKey.intent] == "ProbeIntent")
        #expect(metadata[TelemetryKey.interaction] == "i1")
        #expect(metadata[TelemetryKey.handler] == "ProbeHandler")
        #expect(metadata[TelemetryKey.handlerVersion] == "7")
        #expect(metadata[TelemetryKey.stage] == "handle")
    }

    @Test("Clients see the handler's words for them, and nothing else of the error")
    func showsOnlyHandlersWordsToClients() async throws {
        let told = try await Self.fail { _, _ in throw Worded() }
        #expect(told.response == ["error": "You have booked too often today."])
        #expect(!told.responses.contains("shard"))
        #expect(told.detail == Worded().description)
    }

    @Test("The words pass through reads and effects, and through a replay")
    func wordsSurviveReadsEffectsAndReplay() async throws {
        let effect = try await Self.fail { _, context in
            _ = try await context.effect("book") { _ -> Bool in throw Worded() }
            return Response(code: .success)
        }
        #expect(effect.response == ["error": "You have booked too often today."])
        #expect(!effect.responses.contains("shard"))
        let read = try await Self.fail { _, context in
            _ = try await context.run("quota") { () -> Bool in throw Secret() }
            return Response(code: .success)
        }
        #expect(read.response == [:])
        #expect(!read.responses.contains("iban"))
    }

    @Test("Failed attempts that are retried are not warnings; the last one is")
    func warnsAtLastTryOnly() async throws {
        let told = try await Self.fail { _, context in
            guard context.attempt < 2 else { throw Secret() }
            throw Passing()
        }
        #expect(told.lines.filter { $0.level == .warning }.map { $0.metadata[TelemetryKey.attempt] } == ["2"])
        #expect(told.lines.count { $0.metadata[TelemetryKey.retryAt] != nil && $0.level == .info } == 1)
    }
}
